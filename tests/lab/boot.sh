#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Boots a kernel in QEMU and runs a command in the guest.
#
#   boot.sh [options] KERNEL_DIR -- COMMAND [ARGUMENT...]
#   boot.sh --interactive KERNEL_DIR          (a shell; Ctrl-A X kills the guest)
#
# KERNEL_DIR is one of the folders made by kernels.sh. The guest sees this
# machine's whole file system under the same paths; what it writes there stays in
# its memory. Only the result folder ($ZONAL_LAB_RESULT in the guest, the same
# path on both sides) is shared for writing. The command runs as root in the
# current folder, with an empty stdin.
#
#   --timeout SECONDS   kill the guest after this long (default 120; interactive: none)
#   --result DIR        result folder, kept (default: a temporary one, kept on failure);
#                       gets console.log and dmesg.txt besides what the command writes
#   --env NAME=VALUE    sets a variable in the guest; may be repeated
#   --accel tcg|kvm     default $ZONAL_LAB_ACCEL or tcg (emulation): a /dev/kvm that
#                       opens does not mean that guests run on it
#   --memory MIB        guest memory (default 2048)
#
# Exit code: the command's own; 124 when the time was over; 125 when the guest
# died or did not come up (then the last lines of the console are printed).
set -euo pipefail

lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly lab
readonly initramfs_modules=(virtio_pci 9pnet_virtio 9p overlay)
readonly exit_timeout=124 exit_died=125

usage() { sed -n '3,/^set -/s/^# \{0,1\}//p' "$0"; }

die() {
  echo "boot.sh: $*" >&2
  exit "$exit_died"
}

parse_arguments() {
  timeout_seconds='' result='' keep_result=yes accel=${ZONAL_LAB_ACCEL:-tcg} memory=2048 interactive=no
  environment=()
  while (($#)); do
    case $1 in
      --timeout) timeout_seconds=$2; shift ;;
      --result) result=$2; shift ;;
      --env) environment+=("$2"); shift ;;
      --accel) accel=$2; shift ;;
      --memory) memory=$2; shift ;;
      --interactive) interactive=yes ;;
      -h | --help) usage; exit 0 ;;
      -*) die "unknown option $1 (see --help)" ;;
      *) break ;;
    esac
    shift
  done
  (($#)) || die "which kernel? (see --help)"
  kernel_dir=$(cd "$1" 2>/dev/null && pwd) || die "no folder $1; run kernels.sh first"
  shift
  [[ ${1:-} == -- ]] && shift
  command_line=("$@")
  if [[ $interactive == yes ]]; then
    ((${#command_line[@]})) || command_line=(bash)
  else
    ((${#command_line[@]})) || die "no command given (see --help)"
    timeout_seconds=${timeout_seconds:-120}
  fi
}

check_requirements() {
  local tool
  for tool in qemu-system-x86_64 busybox cpio modprobe timeout; do
    command -v "$tool" >/dev/null ||
      die "no $tool; apt-get install qemu-system-x86 busybox-static cpio kmod"
  done
  # A dynamic one would find no libraries in the initramfs.
  [[ $(LC_ALL=C ldd "$(command -v busybox)" 2>&1) == *"not a dynamic"* ]] ||
    die "busybox is not static; apt-get install busybox-static"
  [[ -f $kernel_dir/release ]] || die "$kernel_dir is no kernel folder; run kernels.sh first"
  case $accel in
    kvm) accelerator=kvm ;;
    # With one thread per vcpu, QEMU before 8.1 runs stale code while the guest's
    # kernel patches itself ("Oops: int3"); on two cores it is hardly faster either.
    tcg) accelerator='tcg,thread=single' ;;
    *) die "--accel takes tcg or kvm, not $accel" ;;
  esac
}

# The modules the root file system needs, unpacked, in load order.
add_modules() { # TREE
  local release name word path file
  release=$(<"$kernel_dir/release")
  for name in "${initramfs_modules[@]}"; do
    modprobe -d "$kernel_dir" -S "$release" --show-depends "$name"
  done | while read -r word path _; do
    if [[ $word == insmod ]]; then echo "$path"; fi
  done | awk '!seen[$0]++' | while read -r path; do
    file=${path##*/}
    case $file in
      *.ko) cp "$path" "$1/modules/$file" ;;
      *.ko.xz) busybox xz -dc "$path" >"$1/modules/${file%.xz}" ;;
      *) die "$path is packed in an unknown way" ;;
    esac
    echo "${file%.xz}" >>"$1/modules/order"
  done
}

build_initramfs() { # OUTPUT
  local tree=$scratch/initramfs
  mkdir -p "$tree"/{bin,dev,host,modules,proc,ram,root,sys}
  cp "$(command -v busybox)" "$tree/bin/busybox"
  install -m 755 "$lab/guest/init" "$tree/init"
  printf 'LAB_SETUP=%q\nLAB_RESULT=%q\n' "$lab/guest/setup.sh" "$result" >"$tree/lab.env"
  add_modules "$tree"
  (cd "$tree" && find . -print0 | cpio --null --quiet -o -H newc) >"$1"
}

# What setup.sh reads in the guest.
write_command() {
  local assignment rows=0 columns=0
  if [[ $interactive == yes ]]; then read -r rows columns < <(stty size) || true; fi
  ((rows > 0 && columns > 0)) || { rows=24 columns=80; }
  {
    for assignment in "${environment[@]}"; do
      [[ $assignment == [A-Za-z_]*=* ]] || die "--env takes NAME=VALUE, not $assignment"
      printf 'export %s=%q\n' "${assignment%%=*}" "${assignment#*=}"
    done
    printf 'LAB_KERNEL_DIR=%q\nLAB_DIRECTORY=%q\n' "$kernel_dir" "$PWD"
    printf 'LAB_INTERACTIVE=%q\nLAB_ROWS=%q\nLAB_COLUMNS=%q\n' "$interactive" "$rows" "$columns"
    printf 'LAB_COMMAND=('
    printf '%q ' "${command_line[@]}"
    printf ')\n'
  } >"$result/command.env"
}

# Its fields joined by commas, as QEMU wants them.
joined() {
  local IFS=,
  echo "$*"
}

# QEMU takes a comma inside a value doubled.
escaped() { echo "${1//,/,,}"; }

share() { # PATH TAG [FIELD...]
  joined local "path=$(escaped "$1")" "mount_tag=$2" security_model=none multidevs=remap "${@:3}"
}

zns_namespace() {
  joined nvme-ns bus=nvme drive=zns zoned=true zoned.zone_size=16M zoned.zone_capacity=12M \
    zoned.max_open=8 zoned.max_active=12 logical_block_size=4096 physical_block_size=4096 \
    uuid=5f3f2b0a-7d1c-4a57-9c52-5d6d5a6f6e61
}

qemu_arguments() {
  local kernel_line="console=ttyS0 quiet loglevel=4 panic=-1 oops=panic mitigations=off"
  local zns_image=$scratch/zns.img
  truncate -s 512M "$zns_image"
  arguments=(
    -machine q35 -accel "$accelerator" -cpu max -smp 2 -m "$memory"
    -nodefaults -no-user-config -display none -no-reboot
    -kernel "$kernel_dir/vmlinuz" -initrd "$scratch/initramfs.cpio" -append "$kernel_line"
    -virtfs "$(share / hostroot readonly=on)"
    -virtfs "$(share "$result" result)"
    -drive "$(joined "file=$(escaped "$zns_image")" id=zns format=raw if=none cache=unsafe)"
    -device "$(joined nvme serial=zonal-lab id=nvme)"
    -device "$(zns_namespace)"
    -serial chardev:console
  )
  local log
  log=$(escaped "$console")
  if [[ $interactive == yes ]]; then
    # signal=off: Ctrl-C goes to the guest.
    arguments+=(-chardev "$(joined stdio id=console mux=on signal=off "logfile=$log")"
      -mon chardev=console)
  else
    arguments+=(-chardev "$(joined file id=console "path=$log")")
  fi
}

# Ends the guest with this script, however this script ends.
die_with_parent=(setpriv --pdeathsig KILL)
command -v setpriv >/dev/null || die_with_parent=()

run_guest() {
  if [[ $interactive == yes ]]; then
    local limit=()
    [[ -z $timeout_seconds ]] || limit=(timeout --foreground -k 5 "$timeout_seconds")
    "${limit[@]}" qemu-system-x86_64 "${arguments[@]}" || qemu_status=$?
    return
  fi
  : >"$console"
  "${die_with_parent[@]}" timeout -k 5 "$timeout_seconds" \
    "${die_with_parent[@]}" qemu-system-x86_64 "${arguments[@]}" \
    </dev/null >"$scratch/qemu.log" 2>&1 &
  qemu_pid=$!
  # tail ends once QEMU has ended and everything is printed.
  tail -n +1 -f -s 0.1 --pid="$qemu_pid" "$console" 2>/dev/null | sed -u -e 's/\r*$//' -e '/sysrq: Power Off$/d; /reboot: Power down$/d' &
  local stream_pid=$!
  wait "$qemu_pid" || qemu_status=$?
  qemu_pid=''
  wait "$stream_pid" || true
}

show_death() { # WHY
  {
    echo "boot.sh: $1; the last lines of its console ($console):"
    tail -n 80 "$console" | sed 's/\r*$//; s/^/  | /'
    if [[ -s $scratch/qemu.log ]]; then
      echo "boot.sh: QEMU said:"
      sed 's/^/  | /' "$scratch/qemu.log"
    fi
  } >&2
}

# shellcheck disable=SC2317  # called by the trap
clean_up() {
  local status=$?
  [[ -z ${qemu_pid:-} ]] || kill "$qemu_pid" 2>/dev/null || true
  [[ -z ${scratch:-} ]] || rm -rf "$scratch"
  [[ ${keep_result:-yes} == no ]] || return 0
  if ((status == 0)); then rm -rf "$result"; else echo "boot.sh: kept $result" >&2; fi
}

main() {
  parse_arguments "$@"
  check_requirements
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/zonal-lab.XXXXXX")
  if [[ -z $result ]]; then
    result=$(mktemp -d "${TMPDIR:-/tmp}/zonal-lab-result.XXXXXX")
    keep_result=no
  fi
  mkdir -p "$result"
  result=$(cd "$result" && pwd)
  rm -f "$result"/{exit_code,console.log,dmesg.txt}
  console=$result/console.log
  build_initramfs "$scratch/initramfs.cpio"
  write_command
  qemu_arguments
  qemu_pid='' qemu_status=0
  local started=$SECONDS
  run_guest
  local code
  if [[ -s $result/exit_code ]]; then
    code=$(<"$result/exit_code")
    exit "$code"
  fi
  if ((qemu_status != 0)) && [[ -n $timeout_seconds ]] &&
    ((SECONDS - started >= timeout_seconds)); then
    show_death "the guest was not done after $timeout_seconds s and was killed"
    exit "$exit_timeout"
  fi
  show_death "the guest died (QEMU's exit code: $qemu_status)"
  exit "$exit_died"
}

main "$@"
