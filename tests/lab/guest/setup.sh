#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# PID 1 of the guest once the host's tree is its root: prepares the system, runs
# the command boot.sh left in the result folder, leaves its exit code there and
# powers off.
set -euo pipefail

readonly result=$1

mount_what_programs_expect() {
  mkdir -p /dev/shm /dev/pts
  mount -t tmpfs shm /dev/shm
  mount -t devpts devpts /dev/pts
  # Bash needs these for process substitution and redirection.
  ln -sfn /proc/self/fd /dev/fd
  local fd=0 name
  for name in stdin stdout stderr; do
    ln -sfn "/proc/self/fd/$fd" "/dev/$name"
    fd=$((fd + 1))
  done
}

use_kernel_modules() { # KERNEL_DIR
  local modules
  modules=/lib/modules/$(uname -r)
  mkdir -p "$modules"
  mount --bind "$1/lib/modules/$(uname -r)" "$modules"
  modprobe configfs
  mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
  # ZNS drives are attached from the start; their driver is a module.
  modprobe nvme
}

run_command() {
  cd "$LAB_DIRECTORY" || return
  if [[ $LAB_INTERACTIVE == yes ]]; then
    stty -F /dev/ttyS0 sane rows "$LAB_ROWS" columns "$LAB_COLUMNS"
    setsid --wait --ctty "${LAB_COMMAND[@]}" <>/dev/ttyS0 >&0 2>&1
  else
    "${LAB_COMMAND[@]}" </dev/null
  fi
}

power_off() {
  sync
  umount "$result" || true
  dmesg --console-level 1
  echo o >/proc/sysrq-trigger
  # The 9p root goes away first: from here on nothing can be run.
  while :; do :; done
}

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LANG=C.UTF-8 TERM=${TERM:-linux} ZONAL_LAB_RESULT=$result
# shellcheck source=/dev/null  # written by boot.sh
. "$result/command.env"
mount_what_programs_expect
use_kernel_modules "$LAB_KERNEL_DIR"
busybox ip link set lo up || true
echo zonal-lab >/proc/sys/kernel/hostname

touch /run/zonal-lab-guest # devices.sh looks for it

code=0
run_command || code=$?
dmesg >"$result/dmesg.txt"
echo "$code" >"$result/exit_code"
power_off
