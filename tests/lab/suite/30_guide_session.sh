#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 180
# The guide's session with a zoned drive, in sizes that fit the layout.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../suite_lib.sh
. "$ZONAL_LAB/suite_lib.sh"

mib=$((1 << 20))
case $ZONAL_LAYOUT in
  scsi_managed) zone=4 capacity=4 ;;
  zns) zone=16 capacity=12 ;;
  *) skip "the session runs on scsi_managed and zns" ;;
esac
ZONAL=$(built tools/zonal)
SESSION_HELPER=$(built tests/tools/session_helper)
export ZONAL SESSION_HELPER
export TARGET=$ZONAL_TEST_DEVICE COUNTERS=${ZONAL_TEST_DEVICE#/dev/}
export ZONE_SIZE=$((zone * mib)) ZONE_CAPACITY=$((capacity * mib))
export OFFSET=$((4 * zone * mib)) SIZE=$((4 * zone * mib)) BS=65536
MAX_OPEN=$(queue_attribute max_open_zones)
export MAX_OPEN
bash "$ZONAL_LAB/../tools/guide_session.sh"
