#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs in a guest: every executable script of the suite on every device layout.
#
#   guest_suite.sh --kernel NAME [--require-layouts] [--layouts "A B"] [--suite DIR]
#
# A script gets ZONAL_TEST_DEVICE, ZONAL_TEST_PASSTHROUGH (/dev/sgN, /dev/ngXnY or
# empty), ZONAL_LAYOUT, ZONAL_ZONED (host-managed, host-aware or none), ZONAL_KERNEL,
# ZONAL_BUILD (may be empty), ZONAL_LAB (this folder) and ZONAL_SCRATCH (an empty
# folder in memory, its current one), and a device with all zones empty. Exit code 0
# passes, 77 skips, anything else fails; the last line of its output is the reason. It
# has 60 s, or what a line `# timeout: SECONDS` in it says.
#
# Writes results.tsv (kernel, layout, script, result, seconds, reason) and one log
# per script into $ZONAL_LAB_RESULT. With --require-layouts, a layout that cannot
# be made fails the whole.
set -euo pipefail

lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly lab
readonly default_limit=60
# How long a killed script may take to go before it counts as stuck in the kernel.
readonly grace=15

# shellcheck source-path=SCRIPTDIR source=devices.sh
. "$lab/devices.sh"

parse_arguments() {
  kernel='' layouts=$(device_list) suite=$lab/suite require_layouts=no
  while (($#)); do
    case $1 in
      --kernel) kernel=$2; shift ;;
      --layouts) layouts=$2; shift ;;
      --suite) suite=$2; shift ;;
      --require-layouts) require_layouts=yes ;;
      *) echo "guest_suite.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift
  done
  [[ -n $kernel ]] || { echo "guest_suite.sh: --kernel is missing" >&2; exit 2; }
}

find_scripts() {
  local script
  scripts=()
  for script in "$suite"/*.sh; do
    if [[ -f $script && -x $script ]]; then scripts+=("$script"); fi
  done
  ((${#scripts[@]})) || { echo "guest_suite.sh: no executable script in $suite" >&2; exit 2; }
}

microseconds() { echo "${EPOCHREALTIME//[!0-9]/}"; }

seconds_since() { # MICROSECONDS
  local tenths=$((($(microseconds) - $1 + 50000) / 100000))
  echo "$((tenths / 10)).$((tenths % 10))"
}

declare -A count=([pass]=0 [fail]=0 [skip]=0)

record() { # LAYOUT SCRIPT RESULT SECONDS REASON
  local reason=${5//$'\t'/ }
  count[$3]=$((count[$3] + 1))
  printf '%s\t' "$kernel" "$1" "$2" "$3" "$4" >>"$results"
  printf '%s\n' "$reason" >>"$results"
  printf '%-7s %-13s %-24s %-4s %6s s  %s\n' "$kernel" "$1" "$2" "$3" "$4" "$reason"
}

limit_of() { # SCRIPT
  local limit
  limit=$(sed -n 's/^# timeout: \([0-9][0-9]*\)$/\1/p' "$1" | head -n 1)
  echo "${limit:-$default_limit}"
}

# Leaves the script's exit code in $code; "stuck" when even SIGKILL does not end it.
run_bounded() { # LIMIT SCRIPT LOG
  local pid watchdog finished=''
  timeout -k 5 "$1" "$2" </dev/null >"$3" 2>&1 &
  pid=$!
  sleep $(($1 + grace)) &
  watchdog=$!
  code=0
  wait -n -p finished "$pid" "$watchdog" || code=$?
  if [[ $finished == "$watchdog" ]]; then
    code=stuck
  else
    kill "$watchdog"
    wait "$watchdog" 2>/dev/null || true
  fi
}

# One script on the device there is. Fills $result and $reason.
judge() { # SCRIPT LOG
  local limit code
  limit=$(limit_of "$1")
  run_bounded "$limit" "$1" "$2"
  reason=$(grep -v '^[[:space:]]*$' "$2" | tail -n 1 | cut -c 1-200 || true)
  case $code in
    0) result=pass reason='' ;;
    77) result=skip ;;
    124 | 137) result=fail reason="killed after $limit s" ;;
    stuck) result=fail reason="not to be killed after $limit s: stuck in the kernel" ;;
    *) result=fail reason="exit code $code: $reason" ;;
  esac
}

run_script() { # LAYOUT SCRIPT
  local name log started result reason
  name=$(basename "$2" .sh)
  log=$ZONAL_LAB_RESULT/$1.$name.log
  echo "$1 $name" >"$ZONAL_LAB_RESULT/running"
  device_reset "$1" || { record "$1" "$name" fail 0.0 "the device cannot be emptied before it"; return; }
  ZONAL_SCRATCH=$(mktemp -d /dev/shm/zonal.XXXXXX)
  export ZONAL_SCRATCH
  started=$(microseconds)
  cd "$ZONAL_SCRATCH"
  judge "$2" "$log"
  cd /
  rm -rf "$ZONAL_SCRATCH"
  record "$1" "$name" "$result" "$(seconds_since "$started")" "$reason"
  if [[ $result == fail ]]; then
    echo "--- output of $name on $1 (kernel $kernel):"
    tail -n 200 "$log" | sed 's/^/  | /'
    echo "---"
  fi
}

run_layout() { # LAYOUT
  local device script
  echo "$1 (making the device)" >"$ZONAL_LAB_RESULT/running"
  if ! device=$(device_create "$1"); then
    skipped_layouts+=("$1")
    record "$1" - skip 0.0 "layout not made: $(tail -n 1 <<<"$device")"
    device_destroy "$1" || true
    return
  fi
  export ZONAL_LAYOUT=$1 ZONAL_TEST_DEVICE=$device
  ZONAL_TEST_PASSTHROUGH=$(device_passthrough "$1")
  ZONAL_ZONED=$(<"/sys/block/${device#/dev/}/queue/zoned")
  export ZONAL_TEST_PASSTHROUGH ZONAL_ZONED
  for script in "${scripts[@]}"; do
    run_script "$1" "$script"
  done
  echo "$1 (taking the device away)" >"$ZONAL_LAB_RESULT/running"
  device_destroy "$1" || record "$1" - fail 0.0 "the device cannot be taken away"
}

main() {
  parse_arguments "$@"
  find_scripts
  results=$ZONAL_LAB_RESULT/results.tsv
  : >"$results"
  export ZONAL_KERNEL=$kernel ZONAL_BUILD=${ZONAL_BUILD:-} ZONAL_LAB=$lab
  skipped_layouts=()
  local layout
  for layout in $layouts; do
    run_layout "$layout"
  done
  rm -f "$ZONAL_LAB_RESULT/running"
  echo "$kernel ($(uname -r)): ${count[pass]} passed, ${count[fail]} failed, ${count[skip]} skipped"
  ((count[fail] == 0)) || return 1
  # Nothing passed means nothing was proven.
  ((count[pass] > 0)) || { echo "$kernel: no script ran to its end"; return 1; }
  if [[ $require_layouts == yes ]] && ((${#skipped_layouts[@]})); then
    echo "$kernel: every layout must be there, but these were skipped: ${skipped_layouts[*]}"
    return 1
  fi
}

main "$@"
