#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The kernel backend on the device: reports, limits, management, data through each
# queue, refusals (tests/device/kernel_suite_*.cc).
# timeout: 120
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../suite_lib.sh
. "$ZONAL_LAB/suite_lib.sh"

"$(built tests/device/zonal_device_suite)" --durations yes
