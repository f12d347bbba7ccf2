#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The lab's device layouts. Works in a guest of the lab only: it loads modules and
# empties drives.
#
#   devices.sh list              names of the device suite's layouts
#   devices.sh create LAYOUT     makes it; prints the path of its block device
#   devices.sh passthrough LAYOUT  prints the path of its raw command device, if any
#   devices.sh destroy LAYOUT    takes it away again
#   devices.sh reset LAYOUT      empties all its zones
#
# create exits with 77 and prints the reason when this kernel cannot make the
# layout. Can be sourced too: the same as functions device_list, device_create...
#
#   null_plain    null_blk, 32 zones of 4 MiB, no limits, 512-byte blocks
#   null_limits   null_blk, 32 zones of 8 MiB, 6 MiB writable, 4 conventional,
#                 4 open, 6 active, 4096-byte blocks
#   null_regular  null_blk, 128 MiB, not zoned
#   scsi_managed  scsi_debug, host-managed ZBC, 32 zones of 4 MiB, 2 conventional,
#                 6 open
#   scsi_aware    scsi_debug, host-aware ZBC (from Linux 6.8 on shown as not zoned)
#   zns           QEMU's NVMe ZNS drive, 32 zones of 16 MiB, 12 MiB writable, 8 open,
#                 12 active, 4096-byte blocks
#
# and those of fio-suite.sh, which wants many small zones:
#
#   null_small         null_blk, 1024 zones of 1 MiB, no limits
#   null_small_limits  null_blk, 512 zones of 2 MiB, 1 MiB writable, 10 conventional,
#                      12 open, 12 active
#   scsi_small         scsi_debug, host-managed ZBC, 256 zones of 4 MiB, 16
#                      conventional, 16 open
#   loop               a loop device over 256 MiB of memory, not zoned

readonly device_skip=77
readonly nullb_root=/sys/kernel/config/nullb

device_list() {
  printf '%s\n' null_plain null_limits null_regular scsi_managed scsi_aware zns
}

device_skip() {
  echo "$*"
  return "$device_skip"
}

# Before 6.10 only mq-deadline keeps the order of writes to a zone.
kernel_older_than() { # MAJOR.MINOR
  local running
  running=$(uname -r)
  [[ $(printf '%s\n%s\n' "${running%%[-+]*}" "$1" | sort -V | head -n 1) != "$1" ]]
}

set_scheduler() { # DEVICE
  local queue=/sys/block/${1#/dev/}/queue
  [[ $(<"$queue/zoned") != none ]] || return 0
  if kernel_older_than 6.10; then
    echo mq-deadline >"$queue/scheduler" || device_skip "$1 takes no mq-deadline"
  fi
}

# Programs started by hand find no udev here: the node may be a moment late.
wait_for_block_device() { # DEVICE
  local i
  for ((i = 0; i < 100; i++)); do
    if [[ -b $1 && $(<"/sys/block/${1#/dev/}/size") -gt 0 ]]; then return 0; fi
    sleep 0.1
  done
  device_skip "$1 did not appear within 10 s"
}

# --- null_blk ---------------------------------------------------------------

nullb_name() { # LAYOUT
  case $1 in
    null_plain) echo nullb0 ;;
    null_limits) echo nullb1 ;;
    null_regular) echo nullb2 ;;
    null_small) echo nullb3 ;;
    null_small_limits) echo nullb4 ;;
  esac
}

nullb_attributes() { # LAYOUT; sizes in MiB
  echo memory_backed=1
  case $1 in
    null_plain) printf '%s\n' size=128 blocksize=512 zoned=1 zone_size=4 ;;
    null_limits)
      printf '%s\n' size=256 blocksize=4096 zoned=1 zone_size=8 zone_capacity=6 \
        zone_nr_conv=4 zone_max_open=4 zone_max_active=6
      ;;
    null_regular) printf '%s\n' size=128 blocksize=512 zoned=0 ;;
    null_small) printf '%s\n' size=1024 blocksize=4096 zoned=1 zone_size=1 ;;
    null_small_limits)
      printf '%s\n' size=1024 blocksize=4096 zoned=1 zone_size=2 zone_capacity=1 \
        zone_nr_conv=10 zone_max_open=12 zone_max_active=12
      ;;
  esac
}

nullb_create() { # LAYOUT
  local name folder attribute
  name=$(nullb_name "$1")
  folder=$nullb_root/$name
  modprobe null_blk nr_devices=0 2>&1 || device_skip "no null_blk" || return
  mkdir "$folder" 2>&1 || return "$device_skip"
  while read -r attribute; do
    echo "${attribute#*=}" 2>/dev/null >"$folder/${attribute%%=*}" ||
      device_skip "null_blk takes no $attribute" || return
  done < <(nullb_attributes "$1")
  # In newer kernels: writes that fail once, for the suite's tests of recovery.
  for attribute in badblocks_once badblocks_partial_io; do
    if [[ $1 == null_small* && -w $folder/$attribute ]]; then echo 1 >"$folder/$attribute"; fi
  done
  echo 1 2>/dev/null >"$folder/power" || device_skip "null_blk does not start" || return
  wait_for_block_device "/dev/$name" || return
  set_scheduler "/dev/$name" || return
  echo "/dev/$name"
}

nullb_destroy() { # LAYOUT
  local folder
  folder=$nullb_root/$(nullb_name "$1")
  if [[ -d $folder ]]; then rmdir "$folder"; fi
}

# --- scsi_debug -------------------------------------------------------------

scsi_child() { # block|scsi_generic: its name, once it is there
  local found=(/sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/"$1"/*)
  [[ -e ${found[0]} ]] && echo "${found[0]##*/}"
}

scsi_parameters() { # LAYOUT
  echo sector_size=512 delay=0 zone_size_mb=4
  case $1 in
    scsi_small) echo dev_size_mb=1024 ;;
    *) echo dev_size_mb=128 ;;
  esac
  case $1 in
    scsi_small) echo zbc=managed zone_nr_conv=16 zone_max_open=16 ;;
    scsi_managed) echo zbc=managed zone_nr_conv=2 zone_max_open=6 ;;
    scsi_aware) echo zbc=aware ;;
  esac
}

scsi_create() { # LAYOUT
  local parameters name='' i
  modprobe --all sd_mod sg 2>&1 || device_skip "no sd_mod or sg" || return
  mapfile -t parameters < <(scsi_parameters "$1" | tr ' ' '\n')
  modprobe scsi_debug "${parameters[@]}" 2>&1 ||
    device_skip "scsi_debug does not take ${parameters[*]}" || return
  for ((i = 0; i < 100; i++)); do
    if name=$(scsi_child block); then break; fi
    sleep 0.1
  done
  [[ -n $name ]] || device_skip "scsi_debug made no disk within 10 s" || return
  wait_for_block_device "/dev/$name" || return
  set_scheduler "/dev/$name" || return
  echo "/dev/$name"
}

scsi_destroy() {
  local i
  [[ -d /sys/module/scsi_debug ]] || return 0
  for ((i = 0; i < 50; i++)); do
    if modprobe -r scsi_debug 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  echo "scsi_debug is still in use" >&2
  return 1
}

# --- loop -------------------------------------------------------------------

readonly loop_file=/dev/shm/zonal-loop.img

loop_create() {
  modprobe loop 2>&1 || device_skip "no loop" || return
  truncate -s 256M "$loop_file"
  losetup --find --show --direct-io=off "$loop_file" 2>&1 || device_skip "no loop device"
}

loop_path() { losetup --noheadings --output NAME --associated "$loop_file"; }

loop_destroy() {
  local device
  device=$(loop_path)
  [[ -z $device ]] || losetup --detach "$device"
  rm -f "$loop_file"
}

# --- QEMU's ZNS drive -------------------------------------------------------

zns_find() {
  local disk
  for disk in /sys/block/nvme*; do
    if [[ -e $disk/queue/zoned && $(<"$disk/queue/zoned") == host-managed ]]; then
      echo "/dev/${disk##*/}"
      return 0
    fi
  done
  device_skip "no zoned NVMe namespace: the guest was booted without, or the kernel has no ZNS"
}

zns_create() {
  local device i
  # The driver scans in the background.
  for ((i = 0; i < 50; i++)); do
    if device=$(zns_find); then break; fi
    sleep 0.1
  done
  [[ $device == /dev/* ]] || device_skip "$device" || return
  wait_for_block_device "$device" || return
  set_scheduler "$device" || return
  echo "$device"
}

# --- all --------------------------------------------------------------------

# A ZNS drive on this machine may hold somebody's data; setup.sh marks the guests.
in_lab_guest() {
  [[ -e /run/zonal-lab-guest ]] || device_skip "this is no guest of the lab"
}

device_create() { # LAYOUT
  in_lab_guest || return
  case $1 in
    null_*) nullb_create "$1" ;;
    scsi_*) scsi_create "$1" ;;
    loop) loop_create ;;
    zns) zns_create ;;
    *) device_skip "no layout $1" ;;
  esac
}

device_passthrough() { # LAYOUT
  local device
  case $1 in
    scsi_*) echo "/dev/$(scsi_child scsi_generic)" ;;
    zns) device=$(zns_find) && echo "${device/nvme/ng}" ;;
  esac
}

device_destroy() { # LAYOUT
  in_lab_guest || return
  case $1 in
    null_*) nullb_destroy "$1" ;;
    scsi_*) scsi_destroy ;;
    loop) loop_destroy ;;
    # It stays, emptied.
    zns) device_reset zns ;;
  esac
}

device_path() { # LAYOUT, made before
  case $1 in
    null_*) echo "/dev/$(nullb_name "$1")" ;;
    scsi_*) echo "/dev/$(scsi_child block)" ;;
    loop) loop_path ;;
    zns) zns_find ;;
  esac
}

device_reset() { # LAYOUT
  local device
  in_lab_guest || return
  device=$(device_path "$1") || return
  [[ $(<"/sys/block/${device#/dev/}/queue/zoned") != none ]] || return 0
  blkzone reset "$device"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  case ${1:-} in
    list) device_list ;;
    create | passthrough | destroy | reset) "device_$1" "${2:?which layout?}" ;;
    *)
      sed -n '3,/^$/s/^# \{0,1\}//p' "$0"
      exit 2
      ;;
  esac
fi
