#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a fresh clone to a zoned workload on an emulated drive: installs what the
# build needs, builds, makes a drive in build/quickstart/drive/, writes to it, and
# shows its zones. Prints each command, ready to be copied. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

run() { printf '\n$ %s\n' "$*"; "$@"; }

tools/install_packages.sh build
run cmake --preset release -B build/quickstart -DZONAL_BUILD_TESTS=OFF -DZONAL_BUILD_BENCH=OFF \
  --log-level=WARNING
run cmake --build build/quickstart --target zonal_cli

zonal=build/quickstart/tools/zonal
drive=build/quickstart/drive/zns.zoned
run mkdir -p build/quickstart/drive
# --force replaces nothing but an emulated drive.
run $zonal create $drive --force --zones 64 --zone-size 16MiB --zone-capacity 12MiB \
  --conventional 4 --max-open 8 --max-active 12

run $zonal run --name=sequential --filename=$drive --direct=1 --zonemode=zbd \
  --rw=write --bs=256k --iodepth=8 --ioengine=io_uring --offset=4z --size=12z
run $zonal run --name=random --filename=$drive --direct=1 --zonemode=zbd \
  --rw=randwrite --bs=16k --iodepth=16 --ioengine=io_uring --offset=16z --size=48z --io_size=160m \
  --max_open_zones=6 --numjobs=2 --group_reporting
run $zonal report $drive --map
