#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what the tests need (nothing if it is there), builds, and runs all
# tests through CTest. Other arguments go to CTest.
#   tests/run.sh                  everything, the lab in a QEMU guest included
#   tests/run.sh --fast           without the lab
#   tests/run.sh -L unit -R zone  the unit tests whose names hold "zone"
# Labels: unit model simulation install kernel lab tidy. Tests labelled
# lab-long are never run here: ctest --test-dir build/dev -L lab-long
set -euo pipefail
cd "$(dirname "$0")/.."

skip='^lab-long$'
arguments=()
for argument in "$@"; do
  case "$argument" in
    --fast) skip='^lab' ;;
    -h|--help) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) arguments+=("$argument") ;;
  esac
done

tools/install_packages.sh tests

launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
# Prints what a step said only if it failed.
quietly() {
  local said
  said=$("$@" 2>&1) || { printf '%s\n' "$said"; exit 1; }
}
quietly cmake --preset dev "${launcher[@]}"
cmake --build --preset dev -- -j2 --quiet
exec ctest --preset dev -j2 --no-tests=error -LE "$skip" "${arguments[@]}"
