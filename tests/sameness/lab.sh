#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The whole table on zoned drives of the lab, in a guest with Linux 6.1.
#   ZONAL_BUILD=BUILD lab.sh [LAYOUT...]      default: all that have rows
set -euo pipefail

lab=$(cd "$(dirname "${BASH_SOURCE[0]}")/../lab" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/zonal-lab
build=$(realpath "${ZONAL_BUILD:?set ZONAL_BUILD}")
layouts="${*:-null_plain null_limits scsi_managed zns}"
command -v fio >/dev/null || { echo "skipped: fio is not installed"; exit 77; }

work=$(mktemp -d "${TMPDIR:-/tmp}/zonal-sameness.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/suite"
# The suite's other scripts have nothing to do with it.
ln -s "$lab/suite/40_sameness.sh" "$work/suite/"

"$lab/kernels.sh" --only 6.1 "$cache"
code=0
"$lab/boot.sh" --timeout 1700 --result "$work/result" --env "ZONAL_BUILD=$build" \
  --env ZONAL_SAMENESS=all "$cache/6.1" -- \
  "$lab/guest_suite.sh" --kernel 6.1 --suite "$work/suite" --layouts "$layouts" || code=$?
tail -qn 1 "$work"/result/*.40_sameness.log
exit "$code"
