#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what a build ("build") or also the tests ("tests") need, by apt, as
# root or with sudo. Says nothing and asks nothing when all of it is there.
set -euo pipefail

build=(g++ cmake ninja-build pkg-config
  libzbd-dev liburing-dev libaio-dev libabsl-dev
  nlohmann-json3-dev libcli11-dev libisal-dev libxxhash-dev libssl-dev)
tests=(catch2 libbenchmark-dev python3 fio util-linux valgrind clang-format-14 clang-tidy-14
  qemu-system-x86 busybox-static cpio kmod)

case "${1:-}" in
  build) wanted=("${build[@]}") ;;
  tests) wanted=("${build[@]}" "${tests[@]}") ;;
  *) echo "usage: $0 build|tests" >&2; exit 1 ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "$0: no dpkg here; install these yourself: ${wanted[*]}" >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "$0: missing: ${missing[*]}; run this as root, or install sudo" >&2
    exit 1
  fi
  as_root=(sudo)
fi
run() { echo "+ $*"; "$@"; }
run "${as_root[@]}" apt-get -q update
run "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get -q install -y --no-install-recommends "${missing[@]}"
