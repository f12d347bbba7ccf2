#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A well-known guide's session with a 15 TB SMR drive, as an acceptance test. It
# runs on an emulated drive that it makes itself, or on a real zoned device with
# scaled sizes. From the environment:
#   ZONAL, SESSION_HELPER   the two programs
#   TARGET                  a device to overwrite; default: an emulated drive is made
#   OFFSET SIZE ZONE_SIZE   the range written, whole zones; bytes
#   ZONE_CAPACITY           default: ZONE_SIZE
#   BS DEPTH                default: 262144 and 8
#   RANDOM_SIZE RANDOM_IO   range and amount of the random write; default: 16 zones, SIZE / 4
#   MAX_OPEN                the device's limit, as `zonal info` shows it; default: 128
#   COUNTERS                drive: the emulated drive's own; or a block device's name in
#                           /sys/block, whose statistics then count
set -euo pipefail

: "${OFFSET:=140660178944}" "${SIZE:=1073741824}" "${ZONE_SIZE:=268435456}"
: "${ZONE_CAPACITY:=$ZONE_SIZE}" "${BS:=262144}" "${DEPTH:=8}" "${MAX_OPEN:=128}"
: "${COUNTERS:=drive}" "${RANDOM_SIZE:=$((16 * ZONE_SIZE))}" "${RANDOM_IO:=$((SIZE / 4))}"
first=$((OFFSET / ZONE_SIZE))
zones=$((SIZE / ZONE_SIZE))
writes=$((zones * ZONE_CAPACITY / BS))

work=$(mktemp -d "${TMPDIR:-/tmp}/zonal-session.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [[ -z ${TARGET:-} ]]; then
  TARGET=$work/smr.zoned
  time "$ZONAL" create "$TARGET" --preset smr-15tb
fi

step() { echo; echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
equal() { # what expected actual
  [[ $2 == "$3" ]] || fail "$1: expected $2, is $3"
  echo "$1: $3"
}
holds() { # what file pattern
  grep -qE -- "$3" "$2" || { cat "$2" >&2; fail "$1: no match for $3"; }
  echo "$1: $(grep -E -m1 -- "$3" "$2")"
}
# A value of a JSON text on standard input: an expression of the value `d`.
json() { python3 -c "import json,sys; d=json.load(sys.stdin); print($1)"; }
# Bytes written so far, as the device counts them itself.
bytes_written() {
  if [[ $COUNTERS == drive ]]; then
    "$ZONAL" info "$TARGET" --json | json 'd["counters"]["bytes_written"]'
  else
    awk '{print $7 * 512}' "/sys/block/$COUNTERS/stat"
  fi
}
conditions() { # first count -> "full full ..."
  "$ZONAL" report "$TARGET" --first "$1" --count "$2" --json |
    json '" ".join(z["condition"] for z in d["zones"])'
}
fingerprint() { # of the report and the data of the session's zones
  "$ZONAL" report "$TARGET" --first "$first" --count "$zones" | sha256sum
  local zone
  for ((zone = first; zone < first + zones; ++zone)); do
    "$SESSION_HELPER" cat "$TARGET" $((zone * ZONE_SIZE)) "$ZONE_CAPACITY"
  done | sha256sum
}
# Runs `zonal run` and checks its exit code; output in $work/out and $work/err.
session() { # exit_code options...
  local expected=$1 code=0
  shift
  "$ZONAL" run --name=zbc --filename="$TARGET" --ioengine=libaio --bs="$BS" "$@" \
    >"$work/out" 2>"$work/err" || code=$?
  [[ $code == "$expected" ]] ||
    { cat "$work/out" "$work/err" >&2; fail "exit code: expected $expected, is $code"; }
}
line=(--direct=1 --offset="$OFFSET" --size="$SIZE" --iodepth="$DEPTH" --rw=write)
all_full=$(for ((i = 0; i < zones; ++i)); do printf 'full '; done)

if [[ $COUNTERS != drive ]]; then
  "$ZONAL" zone reset "$TARGET" --zone "$first-$((first + RANDOM_SIZE / ZONE_SIZE - 1))"
fi

step "1. a sequential write fills the zones"
before=$(bytes_written)
session 0 --zonemode=zbd "${line[@]}"
holds "bytes and resets" "$work/out" "write: .*; 0 zone resets"
holds "writes" "$work/out" "issued rwts: total=0,$writes,0,0"
equal "bytes the device counted" $((writes * BS)) $(($(bytes_written) - before))
if [[ $COUNTERS == drive ]]; then
  equal "writes the drive counted" "$writes" \
    "$("$ZONAL" info "$TARGET" --json | json 'd["counters"]["writes"]')"
fi
equal "zones $first to $((first + zones - 1))" "${all_full% }" "$(conditions "$first" "$zones")"
equal "the zone behind them" empty "$(conditions $((first + zones)) 1)"

step "2. the same line again resets them"
session 0 --zonemode=zbd "${line[@]}"
holds "bytes and resets" "$work/out" "write: .*; $zones zone resets"
holds "writes" "$work/out" "issued rwts: total=0,$writes,0,0"
equal "zones $first to $((first + zones - 1))" "${all_full% }" "$(conditions "$first" "$zones")"

step "and what is read back is what was written"
stamped=(--name=zbc --filename="$TARGET" --ioengine=libaio --bs="$BS" --zonemode=zbd)
equal "stamped" "zbc: $writes ios, $((writes * BS)) bytes, done " \
  "$("$SESSION_HELPER" stamp "${stamped[@]}" "${line[@]}")"
equal "read back" "zbc: $writes ios, $((writes * BS)) bytes, done " \
  "$("$SESSION_HELPER" check "${stamped[@]}" "${line[@]}" --rw=read)"

step "3. without --zonemode=zbd the first write fails, and nothing changes"
before=$(fingerprint)
session 2 "${line[@]}"
holds "the zone" "$work/err" "zone $first\\b"
holds "its condition" "$work/err" "\\bfull\\b"
holds "the way out" "$work/err" "--zonemode=zbd"
equal "report and data" "$before" "$(fingerprint)"
# A full zone has no write pointer to be named; one that is half written has.
next=$((OFFSET + SIZE))
half=(--direct=1 --offset="$next" --size="$ZONE_SIZE" --io_size=$((2 * BS)) --rw=write)
session 0 --zonemode=zbd "${half[@]}"
session 2 "${half[@]}"
holds "a write pointer" "$work/err" "zone $((first + zones))\\b.*write pointer $((next + 2 * BS))\\b"
holds "a condition" "$work/err" "condition (implicit-open|closed)"
"$ZONAL" zone reset "$TARGET" --zone $((first + zones))

step "4. a random write of two jobs keeps to --max_open_zones"
random=(--direct=1 --zonemode=zbd --offset="$OFFSET" --size="$RANDOM_SIZE" --rw=randwrite
  --io_size=$((RANDOM_IO / 2)) --max_open_zones=4 --numjobs=2 --iodepth="$DEPTH")
session 0 "${random[@]}" &
run=$!
most=0
while kill -0 "$run" 2>/dev/null; do
  if [[ $COUNTERS == drive ]]; then
    open=$("$ZONAL" info "$TARGET" --json | json 'd["counters"]["open_now"]')
  else
    open=$("$ZONAL" info "$TARGET" --json |
      json 'd["zones_by_condition"]["implicit-open"] + d["zones_by_condition"]["explicit-open"]')
  fi
  ((open <= most)) || most=$open
done
wait "$run"
((most <= 4)) || fail "$most zones were open at once"
echo "most zones seen open: $most"
"$ZONAL" info "$TARGET" --json >"$work/info"
if [[ $COUNTERS == drive ]]; then
  equal "the drive's own high-water mark" 4 "$(json 'd["counters"]["open_high_water"]' <"$work/info")"
fi
equal "its limit" "$MAX_OPEN" "$(json 'd["max_open_zones"]' <"$work/info")"

step "5. buffered writes, and ranges without a whole zone, are refused before any I/O"
before=$(bytes_written)
session 1 --zonemode=zbd "${line[@]}" --direct=0
holds "direct=0" "$work/err" "direct"
session 1 --zonemode=zbd "${line[@]}" --offset=$((OFFSET + BS)) --size=$((ZONE_SIZE - BS))
holds "half a zone" "$work/err" "zone"
equal "bytes written" "$before" "$(bytes_written)"
# The random write left its zones half full: a sequential one would go on from there.
"$ZONAL" zone reset "$TARGET" --zone $((first + 1))
session 0 --zonemode=zbd "${line[@]}" --offset=$((OFFSET + BS)) --size=$((2 * ZONE_SIZE))
holds "rounding is told" "$work/err" "rounded up offset from $((OFFSET + BS)) to $((OFFSET + ZONE_SIZE))"
holds "one whole zone is written" "$work/out" "issued rwts: total=0,$((ZONE_CAPACITY / BS)),0,0"

echo
echo "the whole session went as the guide says"
