#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Our cost beside fio's on this machine, in this run: see compare.py, which this calls.
#
#   bench/compare.sh [--quick] [--rounds N] [--rows REGEX] [--json FILE]
#
# FIO names another fio than the one in PATH; ZONAL_BUILD a build folder (default:
# build/release, which is built if it is not there).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${ZONAL_BUILD:-$root/build/release}
if [[ ! -x $build/tools/zonal ]]; then
  (cd "$root" && cmake --preset release >&2 && cmake --build --preset release --target zonal_cli bench_uring_loop >&2)
fi
exec python3 "$root/bench/compare.py" --build "$build" "$@"
