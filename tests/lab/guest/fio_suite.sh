#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# In a guest: fio's zoned suite on one layout, with FIO_PROGRAM as fio. Called by
# fio-suite.sh. Leaves the suite's logs, checks.tsv (one line for each run of the
# program) and verdict in the result folder.
set -euo pipefail

lab=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly lab
# shellcheck source-path=SCRIPTDIR source=../devices.sh
. "$lab/devices.sh"

# The suite looks for ../../fio beside itself and writes its logs there.
make_tree() { # DIRECTORY
  mkdir -p "$1/t/zbd" "$1/bin"
  cp "$FIO_SOURCE_DIR"/t/zbd/{functions,test-zbd-support} "$1/t/zbd/"
  ln -s "$FIO_PROGRAM" "$1/bin/fio"
  ln -s "$lab/guest/counted_fio.sh" "$1/fio"
}

# Lines "NN PASS|FAIL|SKIP" of the suite's output.
verdicts() {
  sed -nE 's/^Running test 0*([0-9]+) \.\.\. .*(PASS|FAIL|SKIP).*/\1 \2/p' "$1"
}

numbers_of() { # RESULT OUTPUT
  verdicts "$2" | awk -v wanted="$1" '$2 == wanted {printf "%s%s", sep, $1; sep = " "}'
}

main() {
  local device tree test options=() tests=()
  if ! device=$(device_create "$1"); then
    echo "$1: not made: $(tail -n 1 <<<"$device")"
    exit 77
  fi
  tree=/dev/shm/fio-suite
  make_tree "$tree"
  export COUNTED_FIO=$tree/bin/fio COUNTED_DEVICE=${device#/dev/}
  export COUNTED_LOGS=$tree/t/zbd COUNTED_CHECKS=$ZONAL_LAB_RESULT/checks.tsv
  : >"$COUNTED_CHECKS"
  read -ra options <<<"${FIO_SUITE_OPTIONS:-}"
  for test in ${FIO_TESTS:-}; do tests+=(-t "$test"); done
  local output=$ZONAL_LAB_RESULT/suite.log failed off
  bash "$tree/t/zbd/test-zbd-support" "${options[@]}" "${tests[@]}" "$device" 2>&1 |
    tee "$output" || true
  cp "$tree"/t/zbd/*.log.* "$ZONAL_LAB_RESULT/" 2>/dev/null || true
  failed=$(numbers_of FAIL "$output")
  off=$(awk -F '\t' '$2 == "off" {print $1}' "$COUNTED_CHECKS" | sort -nu | tr '\n' ' ')
  awk -F '\t' '$2 == "off"' "$COUNTED_CHECKS"
  printf '%s passed, %s failed%s, %s skipped (%s); runs counted %s, off %s%s\n' \
    "$(verdicts "$output" | grep -c PASS)" "$(wc -w <<<"$failed")" "${failed:+ ($failed)}" \
    "$(numbers_of SKIP "$output" | wc -w)" "$(numbers_of SKIP "$output")" \
    "$(wc -l <"$COUNTED_CHECKS")" "$(awk -F '\t' '$2 == "off"' "$COUNTED_CHECKS" | wc -l)" \
    "${off:+ (tests $off)}" | tee "$ZONAL_LAB_RESULT/verdict"
  verdicts "$output" | grep -q PASS && [[ -z $failed && -z $off ]]
}

main "$@"
