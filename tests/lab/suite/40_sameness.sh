#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 900
# The same job lines with fio and with zonal (tests/sameness): on 6.1 a few rows for each
# of three layouts; with ZONAL_SAMENESS=all the whole table, which takes minutes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../suite_lib.sh
. "$ZONAL_LAB/suite_lib.sh"

rows=${ZONAL_SAMENESS:-lab}
case $rows.$ZONAL_KERNEL.$ZONAL_LAYOUT in
  lab.6.1.null_limits | lab.6.1.scsi_managed | lab.6.1.zns) ;;
  all.*.null_plain | all.*.null_limits | all.*.scsi_managed | all.*.zns) ;;
  *) skip "no rows on $ZONAL_LAYOUT of $ZONAL_KERNEL here" ;;
esac
command -v fio >/dev/null || skip "fio is not installed"
zonal=$(built tools/zonal)
python=$(command -v /usr/bin/python3 || command -v python3) || skip "python3 is not installed"

"$python" -B "$ZONAL_LAB/../sameness/sameness.py" --zonal "$zonal" \
  --device "$ZONAL_TEST_DEVICE" --kind "$ZONAL_LAYOUT" --rows "$rows"
