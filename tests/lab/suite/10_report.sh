#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The lab itself: the layout is what it says it is, the kernel's report is whole,
# and a write and a reset move the write pointer.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../suite_lib.sh
. "$ZONAL_LAB/suite_lib.sh"

expected_zoned() {
  case $ZONAL_LAYOUT in
    null_regular) echo none ;;
    # Linux 6.8 dropped host-aware: such a disk is an ordinary one.
    scsi_aware) if [[ $ZONAL_KERNEL == 6.1 ]]; then echo host-aware; else echo none; fi ;;
    *) echo host-managed ;;
  esac
}

# "start length capacity write_pointer condition type" of each zone, decimal sectors.
report() { # BLKZONE_OPTION...
  local line number='0x([0-9a-f]+)' start length capacity pointer
  local pattern="start: $number, len $number, cap $number, wptr $number .*zcond: *([0-9]+)\(.*type: ([0-9])\("
  while read -r line; do
    [[ $line =~ $pattern ]] || fail "not understood: $line"
    start=$((16#${BASH_REMATCH[1]})) length=$((16#${BASH_REMATCH[2]}))
    capacity=$((16#${BASH_REMATCH[3]})) pointer=$((16#${BASH_REMATCH[4]}))
    echo "$start $length $capacity $pointer ${BASH_REMATCH[5]} ${BASH_REMATCH[6]}"
  done < <(blkzone report "$@" "$ZONAL_TEST_DEVICE")
}

check_report() {
  local zones=0 next=0 start length capacity rest
  while read -r start length capacity rest; do
    expect_equal "start of zone $zones" "$start" "$next"
    ((capacity > 0 && capacity <= length)) || fail "capacity of zone $zones: $capacity of $length"
    next=$((start + length)) zones=$((zones + 1))
  done <<<"$all_zones"
  expect_equal "end of the last zone" "$next" "$(device_sectors)"
  expect_equal "number of zones" "$zones" "$(queue_attribute nr_zones)"
}

expect_zone() { # START POINTER CONDITION
  local pointer condition
  read -r _ _ _ pointer condition _ < <(report --offset "$1" --count 1)
  expect_equal "write pointer of the zone at sector $1" "$pointer" "$2"
  expect_equal "condition of the zone at sector $1" "$condition" "$3"
}

# The first zone that is not conventional.
first_sequential() { awk '$6 != 1 {print $1; exit}' <<<"$all_zones"; }

round_trip() { # ZONE_START
  local bytes=65536 offset=$(($1 * 512))
  head -c "$bytes" /dev/urandom >written
  expect_zone "$1" 0 1
  dd if=written of="$ZONAL_TEST_DEVICE" bs="$bytes" count=1 seek="$offset" \
    oflag=direct,seek_bytes conv=notrunc status=none
  expect_zone "$1" $((bytes / 512)) 2
  dd if="$ZONAL_TEST_DEVICE" of=read bs="$bytes" count=1 skip="$offset" \
    iflag=direct,skip_bytes status=none
  cmp written read || fail "what was read is not what was written"
  blkzone reset --offset "$1" --count 1 "$ZONAL_TEST_DEVICE"
  expect_zone "$1" 0 1
}

expect_equal "kind of $ZONAL_TEST_DEVICE" "$ZONAL_ZONED" "$(expected_zoned)"
if [[ $ZONAL_ZONED == none ]]; then
  ! blkzone report "$ZONAL_TEST_DEVICE" || fail "a device that is not zoned has a zone report"
  exit 0
fi
all_zones=$(report)
check_report
round_trip "$(first_sequential)"
