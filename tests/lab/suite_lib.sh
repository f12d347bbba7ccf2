# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Helpers for suite scripts: . "$ZONAL_LAB/suite_lib.sh"

# The last line of output is the reason guest_suite.sh reports.
skip() {
  echo "$*" >&2
  exit 77
}

fail() {
  echo "$*" >&2
  exit 1
}

expect_equal() { # WHAT ACTUAL EXPECTED
  [[ $2 == "$3" ]] || fail "$1: $2, expected $3"
}

# One attribute of the device's request queue; nothing where the kernel has none.
queue_attribute() { # NAME
  cat "/sys/block/${ZONAL_TEST_DEVICE#/dev/}/queue/$1" 2>/dev/null || true
}

device_sectors() { cat "/sys/block/${ZONAL_TEST_DEVICE#/dev/}/size"; }

require_zoned() {
  [[ $ZONAL_ZONED != none ]] || skip "the kernel shows this device as not zoned"
}

# Path of a program of the build under test: zonal=$(built tools/zonal/zonal)
built() { # RELATIVE_PATH
  [[ -n $ZONAL_BUILD ]] || skip "no build folder given (ZONAL_BUILD)"
  [[ -x $ZONAL_BUILD/$1 ]] || skip "the build has no $1"
  echo "$ZONAL_BUILD/$1"
}
