#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs fio's zoned test suite (t/zbd/test-zbd-support in fio's source tree) in QEMU
# guests, with zonal in fio's place. The suite is fio's and is not part of this tree:
# name a checkout.
#
#   fio-suite.sh [options] FIO_SOURCE_DIR [TEST_NUMBER...]
#     --layouts "A B"          default: null_small null_small_limits scsi_small zns loop
#                              (devices.sh says what they are)
#     --kernel 6.1|newest      default 6.1; newest also has the tests of failed writes
#     --fio PROGRAM            another program than ZONAL_BUILD/tools/zonal (say, fio)
#     --suite-options "..."    passed to the suite, as in "-u -o 8"
#     --result DIR             keeps the logs there (default: kept on failure)
#     --timeout SECONDS        for one layout's guest (default 1800)
#     --cache DIR              where the kernels are (see kernels.sh)
#
# One guest per layout. Prints passed, failed and skipped tests per layout. Every run of
# the program is held against the device besides: the bytes it says it read and wrote
# must be those the kernel counted, and the zones whose pointers went back must not be
# more than the resets it says it did. Exit code 1 if a test failed or a count is off.
set -euo pipefail

lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly lab

usage() { sed -n '3,/^set -/s/^# \{0,1\}//p' "$0"; }

die() {
  echo "fio-suite.sh: $*" >&2
  exit 2
}

parse_arguments() {
  layouts="null_small null_small_limits scsi_small zns loop" kernel=6.1 program='' suite_options=''
  result='' timeout_seconds=1800 cache=${XDG_CACHE_HOME:-$HOME/.cache}/zonal-lab
  while (($#)); do
    case $1 in
      --layouts) layouts=$2 ;;
      --kernel) kernel=$2 ;;
      --fio) program=$(command -v "$2") || die "no program $2" ;;
      --suite-options) suite_options=$2 ;;
      --result) result=$2 ;;
      --timeout) timeout_seconds=$2 ;;
      --cache) cache=$2 ;;
      -h | --help) usage; exit 0 ;;
      -*) die "unknown option $1 (see --help)" ;;
      *) break ;;
    esac
    shift 2
  done
  (($#)) || die "which checkout of fio? (see --help)"
  source_dir=$(cd "$1" 2>/dev/null && pwd) || die "no folder $1"
  [[ -f $source_dir/t/zbd/test-zbd-support ]] || die "$1 has no t/zbd/test-zbd-support"
  shift
  tests="$*"
  program=$(realpath "${program:-${ZONAL_BUILD:?set ZONAL_BUILD, or give --fio}/tools/zonal}")
  [[ -x $program ]] || die "no program $program"
  # Without it the suite takes every drive for one with restricted reads.
  command -v sg_inq >/dev/null || die "the suite needs sg_inq; apt-get install sg3-utils"
}

run_layout() { # LAYOUT
  local code=0
  mkdir -p "$result/$1"
  "$lab/boot.sh" --result "$result/$1" --timeout "$timeout_seconds" --memory 3072 \
    --env "FIO_SOURCE_DIR=$source_dir" --env "FIO_PROGRAM=$program" --env "FIO_TESTS=$tests" \
    --env "FIO_SUITE_OPTIONS=$suite_options" \
    "$cache/$kernel" -- "$lab/guest/fio_suite.sh" "$1" || code=$?
  case $code in
    0) ;;
    77) summary+=("$1: skipped"); return ;;
    *) failed=yes ;;
  esac
  summary+=("$1: $(tail -n 1 "$result/$1/verdict" 2>/dev/null || echo "the guest did not finish")")
}

main() {
  parse_arguments "$@"
  local layout keep=yes
  if [[ -z $result ]]; then
    result=$(mktemp -d "${TMPDIR:-/tmp}/zonal-fio-suite.XXXXXX")
    keep=no
  fi
  mkdir -p "$result"
  result=$(cd "$result" && pwd)
  "$lab/kernels.sh" --only "$kernel" "$cache" >/dev/null || die "no kernel $kernel (kernels.sh)"
  summary=() failed=no
  for layout in $layouts; do
    echo "=== $layout"
    run_layout "$layout"
  done
  echo "=== fio's zoned suite on $(<"$cache/$kernel/release")"
  printf '%s\n' "${summary[@]}"
  if [[ $failed == yes ]]; then
    echo "logs: $result"
    exit 1
  fi
  [[ $keep == yes ]] || rm -rf "$result"
}

main "$@"
