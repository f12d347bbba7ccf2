#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stands where fio's suite looks for fio: runs COUNTED_FIO with the same arguments and
# holds what it says it did against what the kernel counted on COUNTED_DEVICE. Adds a
# line to COUNTED_CHECKS: test, ok|off|unchecked, claims and counts. Runs that end with
# an error, or survived some, are not checked: they may have done more than they can say.
set -uo pipefail

device=$COUNTED_DEVICE
output=$(mktemp /dev/shm/counted.XXXXXX)
pointers=$(mktemp /dev/shm/pointers.XXXXXX)
trap 'rm -f "$output" "$pointers"' EXIT

sectors() { awk '{print $3, $7}' "/sys/block/$device/stat"; }

# "start pointer" of zones that have one, in sectors; a full zone's is its end.
zone_pointers() {
  [[ $(<"/sys/block/$device/queue/zoned") != none ]] || return 0
  blkzone report "/dev/$device" | sed -nE \
    's/^ *start: 0x([0-9a-f]+), len 0x([0-9a-f]+).* wptr 0x([0-9a-f]+) .*zcond: *([0-9]+).*type: 2.*/\1 \2 \3 \4/p' |
    while read -r start length pointer condition; do
      ((condition == 14)) && pointer=$length
      echo "$start $((16#$pointer))"
    done
}

# Bytes of one direction, summed over the groups' lines.
claimed() { # READ|WRITE
  sed -nE "s/^ *$1: .*, io=([0-9.]+)([KMG]?i?B) .*/\1 \2/p" "$output" | awk '
    {factor = 1; if ($2 ~ /^K/) factor = 1024; if ($2 ~ /^M/) factor = 1024^2
     if ($2 ~ /^G/) factor = 1024^3; sum += $1 * factor}
    END {printf "%.0f", sum}  # mawk ends %d at 2^31 - 1'
}

# Each job block says the same number on all its lines.
claimed_resets() {
  awk '/: \(groupid=/ {sum += most; most = 0}
    match($0, /; [0-9]+ zone resets$/) {n = substr($0, RSTART + 2) + 0; if (n > most) most = n}
    END {printf "%d", sum + most}' "$output"
}

went_back() {
  join <(sort "$pointers") <(zone_pointers | sort) | awk '$3 < $2 {n++} END {printf "%d", n}'
}

# shellcheck disable=SC2012  # log names have no blanks; the newest is the test's
current_test() { ls -t "$COUNTED_LOGS"/*.log.* 2>/dev/null | head -n 1 | sed 's/.*\.//'; }

read -r read_before written_before < <(sectors)
zone_pointers >"$pointers"
"$COUNTED_FIO" "$@" 2>&1 | tee "$output"
code=${PIPESTATUS[0]}
read -r read_after written_after < <(sectors)

counts=$(((read_after - read_before) * 512))/$(((written_after - written_before) * 512))
claims=$(claimed READ)/$(claimed WRITE)
resets=$(claimed_resets) back=$(went_back)
verdict=ok
[[ $claims == "$counts" && $back -le $resets ]] || verdict=off
((code == 0)) || verdict=unchecked
if grep -q '^ *errors  *: total=[1-9]' "$output"; then verdict=unchecked; fi
printf '%s\t%s\tread/written %s, counted %s; resets %s, zones back %s\t%s\n' \
  "$(current_test)" "$verdict" "$claims" "$counts" "$resets" "$back" "$*" >>"$COUNTED_CHECKS"
exit "$code"
