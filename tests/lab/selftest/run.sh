#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The lab tested: broken suites must be reported as what they are. Four boots.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/zonal-lab-selftest.XXXXXX")
readonly scratch
trap 'rm -rf "$scratch"' EXIT

# Runs the lab; its output and exit code go to $output and $code.
run_lab() { # OPTION...
  code=0
  output=$("$here/../run.sh" --kernel 6.1 --result "$scratch" "$@" 2>&1) || code=$?
}

check() { # WHAT PATTERN
  if grep -qE -- "$2" <<<"$output"; then
    echo "ok: $1"
  else
    echo "NOT ok: $1: nothing like \"$2\" in"
    while read -r line; do echo "  | $line"; done <<<"$output"
    failures=$((failures + 1))
  fi
}

check_failed() {
  if ((code == 1)); then echo "ok: exit code 1"; else
    echo "NOT ok: exit code $code, expected 1"
    failures=$((failures + 1))
  fi
}

echo "--- scripts that pass, fail, skip, hang and are stuck; a layout that is not there"
run_lab --suite "$here/report" --layouts "null_plain nonesuch null_regular"
check_failed
check "a pass" '^6\.1 +null_plain +10_pass +pass'
check "a failure with its reason" '20_fail +fail .*exit code 3: expected apples, got pears'
check "the output of a failure" '^  \| the first line'
check "a skip with its reason" '30_skip +skip .*no apples to be had'
check "a hang" '40_hang +fail .*killed after 2 s'
check "a script that cannot be killed" '50_stuck +fail .*stuck in the kernel'
check "a layout that is not there" 'nonesuch +- +skip .*no layout nonesuch'
check "the rest after all that" '^6\.1 +null_regular +10_pass +pass'
check "the verdict" '^6\.1 .*FAILED \(exit code 1\)'

echo "--- a missing layout alone"
run_lab --suite "$here/pass" --layouts "null_regular nonesuch"
check_failed
check "the reason" 'every layout must be there, but these were skipped: nonesuch'

echo "--- a kernel that panics"
run_lab --suite "$here/panic" --layouts null_plain
check_failed
check "the death" 'boot.sh: the guest died'
check "the console" '^  \| .*Kernel panic'
check "what was running" 'it was running: null_plain 10_panic'

echo "--- a guest that does not end"
run_lab --suite "$here/stuck" --layouts null_plain --timeout 40
check_failed
check "the time-out" 'boot.sh: the guest was not done after 40 s'
check "what was running" 'it was running: null_plain 10_stuck'

((failures == 0)) || { echo "$failures checks failed"; exit 1; }
echo "all checks passed"
