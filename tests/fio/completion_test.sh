#!/bin/bash
# SPDX-License-Identifier: MIT
# bash completes `zonal` as it would at a prompt. Usage: completion_test.sh SCRIPT
set -u
source "$1" || exit 1
failed=0

# expect LINE WORD...: completing LINE offers exactly these.
expect() {
  local line=$1
  shift
  COMP_LINE=$line COMP_POINT=${#line}
  read -ra COMP_WORDS <<< "$line"
  [[ $line == *' ' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  compopt() { :; }
  _zonal
  if [[ "${COMPREPLY[*]}" != "$*" ]]; then
    echo "\"$line\" offers \"${COMPREPLY[*]}\", not \"$*\""
    failed=1
  fi
}

expect 'zonal ru' run
expect 'zonal run --zonem' --zonemode=
expect 'zonal run --zonemode=' none strided zbd
expect 'zonal run --name=j --zonemode=z' zbd
expect 'zonal run --time_b' --time_based
expect 'zonal run --read_iol'
exit $failed
