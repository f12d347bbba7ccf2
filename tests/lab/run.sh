#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the device suite on real zoned block devices in QEMU guests: one boot per
# kernel, all layouts and scripts in it.
#
#   run.sh [options]
#     --kernel 6.1|newest|all   default all
#     --layouts "A B"           only these (devices.sh list)
#     --suite DIR               other scripts than suite/
#     --result DIR              keep results in DIR/KERNEL (default: kept on failure)
#     --timeout SECONDS         for one guest (default 300)
#     --cache DIR               where the kernels are (see kernels.sh)
#
# ZONAL_BUILD names the build folder under test; it and every other ZONAL_* variable
# are passed to the scripts. Exit code: 0 all passed; 77 the only kernel asked for
# cannot be had and is optional; else failed. 6.1 must be there with every layout; a
# newest kernel that cannot be had is listed as skipped. All kernels together have
# six minutes.
set -euo pipefail

lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly lab
readonly budget_seconds=355

usage() { sed -n '3,/^set -/s/^# \{0,1\}//p' "$0"; }

parse_arguments() {
  kernels=(6.1 newest) suite_options=() result='' keep_result=yes timeout_seconds=300
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/zonal-lab
  while (($#)); do
    case $1 in
      --kernel)
        case $2 in
          all) ;;
          6.1 | newest) kernels=("$2") ;;
          *) echo "run.sh: --kernel takes 6.1, newest or all, not $2" >&2; exit 2 ;;
        esac
        ;;
      --layouts) suite_options+=(--layouts "$2") ;;
      --suite) suite_options+=(--suite "$(cd "$2" && pwd)") ;;
      --result) result=$2 ;;
      --timeout) timeout_seconds=$2 ;;
      --cache) cache=$2 ;;
      -h | --help) usage; exit 0 ;;
      *) echo "run.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
    esac
    shift 2
  done
}

# --env options for boot.sh: what the caller set for the scripts.
exported_settings() {
  local name
  for name in $(compgen -e ZONAL_); do
    [[ $name == ZONAL_LAB* ]] || printf '%s\n' --env "$name=${!name}"
  done
}

boot_timeout() {
  local left=$((budget_seconds - SECONDS))
  echo $((left < timeout_seconds ? left : timeout_seconds))
}

# What a guest that did not finish left behind.
explain_death() { # RESULT_DIR
  if [[ -s $1/running ]]; then echo "it was running: $(<"$1/running")"; fi
}

# Prints everything; returns the guest's verdict.
run_kernel() { # KERNEL
  local kernel=$1 started=$SECONDS code=0 environment options=("${suite_options[@]}")
  if ((budget_seconds - SECONDS < 30)); then
    summary+=("$kernel: FAILED, no time left for it: the lab has six minutes")
    return 1
  fi
  [[ $kernel != 6.1 ]] || options+=(--require-layouts)
  mapfile -t environment < <(exported_settings)
  mkdir -p "$result/$kernel"
  rm -f "$result/$kernel"/{running,results.tsv,*.log}
  "$lab/boot.sh" --result "$result/$kernel" --timeout "$(boot_timeout)" "${environment[@]}" \
    "$cache/$kernel" -- "$lab/guest_suite.sh" --kernel "$kernel" "${options[@]}" || code=$?
  explain_death "$result/$kernel"
  local verdict=passed
  ((code == 0)) || verdict="FAILED (exit code $code)"
  summary+=("$kernel ($(<"$cache/$kernel/release")): $verdict in $((SECONDS - started)) s")
  return "$code"
}

# Lines of the results that deserve a second look.
print_results() { # RESULT
  local kernel
  for kernel in "${kernels[@]}"; do
    [[ -f $result/$kernel/results.tsv ]] || continue
    awk -F '\t' -v wanted="$1" '$4 == wanted {
      printf "  %s: %s %s %s: %s\n", $1, $2, $3, $4, $6 }' "$result/$kernel/results.tsv"
  done
}

main() {
  parse_arguments "$@"
  if [[ -z $result ]]; then
    result=$(mktemp -d "${TMPDIR:-/tmp}/zonal-lab-run.XXXXXX")
    keep_result=no
  fi
  mkdir -p "$result"
  result=$(cd "$result" && pwd)
  summary=()
  local kernel line code failed=no ran=no
  for kernel in "${kernels[@]}"; do
    code=0
    line=$("$lab/kernels.sh" --only "$kernel" "$cache") || code=$?
    case $code in
      0)
        ran=yes
        run_kernel "$kernel" || failed=yes
        ;;
      77) summary+=("$line: skipped") ;;
      *)
        summary+=("${line:-kernel $kernel: FAILED, kernels.sh ended with $code}")
        failed=yes
        ;;
    esac
  done
  echo "=== lab"
  print_results skip
  print_results fail
  printf '%s\n' "${summary[@]}"
  if [[ $failed == yes ]]; then
    echo "consoles and logs: $result"
    exit 1
  fi
  [[ $keep_result == yes ]] || rm -rf "$result"
  [[ $ran == yes ]] || exit 77
}

main "$@"
