#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Obtains the lab's kernels: downloads Debian packages and unpacks them into a
# cache folder. Nothing is installed, and the system's package lists are neither
# used nor changed, so root is not needed.
#
#   kernels.sh [--refresh] [--only 6.1|newest] [CACHE_DIR]
#
# CACHE_DIR (default: $XDG_CACHE_HOME/zonal-lab or ~/.cache/zonal-lab) then has
#   6.1/     Debian 12's newest 6.1 (required)
#   newest/  the newest kernel of trixie-backports (optional)
# each with vmlinuz, release (what `uname -r` will say) and lib/modules/. They come
# from the mirror in this system's package sources, or from $ZONAL_LAB_MIRROR.
#
# Exit code: 0 when the required kernel is there; with --only newest, 77 when it
# cannot be had. What is already in the cache is kept until --refresh.
set -euo pipefail

readonly required_suite=bookworm
readonly newest_suite=trixie-backports
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# What the guest loads at run time; a kernel without one of them is of no use.
readonly required_modules=(9p overlay null_blk scsi_debug nvme sd_mod)

usage() { sed -n '3,/^set -/s/^# \{0,1\}//p' "$0"; }

die() {
  echo "kernels.sh: $*" >&2
  exit 1
}

need_tools() {
  local tool missing=()
  for tool in apt-get apt-cache dpkg depmod modprobe flock timeout; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  ((${#missing[@]} == 0)) ||
    die "missing: ${missing[*]}. The lab needs Debian with: apt-get install kmod util-linux"
  [[ $(dpkg --print-architecture) == amd64 ]] ||
    die "the guests run this machine's own binaries on x86-64 kernels; this machine is not amd64"
}

# "URI SUITE" of every package source this system is set up with, whether or not it
# has ever fetched their lists.
system_sources() {
  apt-get update --print-uris -o "Dir::State::lists=$apt_home/lists" 2>/dev/null |
    sed -nE "s#^'(.*)/dists/(.*)/InRelease' .*#\1 \2#p"
}

# Where this system gets Debian's main archive from. May name third-party
# archives too; those lack the suites asked for, or Debian's signature.
mirror_candidates() {
  if [[ -n ${ZONAL_LAB_MIRROR:-} ]]; then
    echo "$ZONAL_LAB_MIRROR"
    return
  fi
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  system_sources | awk -v suite="$codename" '$2 == suite {print $1}'
}

source_line() { echo "deb [signed-by=$keyring] $1 $2 main"; }

# On Debian 12 the system's own sources, security updates among them.
required_sources() {
  local uri suite found=no
  while [[ -z ${ZONAL_LAB_MIRROR:-} ]] && read -r uri suite; do
    [[ $suite == "$required_suite" || $suite == "$required_suite"-* ]] || continue
    source_line "$uri" "$suite"
    found=yes
  done < <(system_sources)
  [[ $found == no ]] || return 0
  while read -r uri; do
    source_line "$uri" "$required_suite"
  done < <(mirror_candidates)
}

newest_sources() {
  local uri
  while read -r uri; do
    source_line "$uri" "$newest_suite"
  done < <(mirror_candidates)
}

# Runs an apt tool on the private package lists in $apt_home.
private_apt() {
  local tool=$1
  shift
  timeout 300 "$tool" -qq \
    -o "Dir::Etc::sourcelist=$apt_home/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o "Dir::State::lists=$apt_home/lists" -o "Dir::Cache=$apt_home/cache" \
    -o "APT::Sandbox::User=$(id -un)" -o Acquire::Languages=none \
    -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}

newest_package() { # REGEX
  private_apt apt-cache pkgnames linux-image- | grep -E "^$1\$" | sort -V | tail -n 1
}

# Newer kernels are split: linux-image holds nothing and depends on the others.
packages_of() { # IMAGE_PACKAGE
  local part name
  for part in image binary modules base; do
    name=linux-$part-${1#linux-image-}
    if private_apt apt-cache show "$name" >/dev/null 2>&1; then echo "$name"; fi
  done
}

# Turns an unpacked tree into a kernel folder. Prints the reason when it fails.
arrange() { # TREE
  local tree=$1 releases release image module
  [[ -e $tree/lib ]] || ln -s usr/lib "$tree/lib"
  releases=("$tree"/lib/modules/*)
  release=${releases[0]##*/}
  for image in "boot/vmlinuz-$release" "lib/modules/$release/vmlinuz"; do
    if [[ -f $tree/$image ]]; then ln -sfn "$image" "$tree/vmlinuz"; fi
  done
  [[ -f $tree/vmlinuz ]] || { echo "the packages hold no kernel image" && return 1; }
  depmod -b "$tree" "$release" || { echo "depmod failed for $release" && return 1; }
  for module in "${required_modules[@]}"; do
    modprobe -d "$tree" -S "$release" --show-depends "$module" >/dev/null 2>&1 ||
      { echo "the packages hold no module $module" && return 1; }
  done
  echo "$release" >"$tree/release"
}

# Why apt failed, from its log: the first failure is nearest to the cause.
apt_reason() { # LOG
  grep -m 1 -E '^[EW]: ' "$1" || tail -n 1 "$1"
}

# Prints the reason when it fails.
fetch() { # NAME SOURCES_FUNCTION IMAGE_REGEX
  local name=$1 sources=$2 regex=$3 package stage deb
  stage=$cache/.stage-$name
  apt_home=$stage/apt
  rm -rf "$stage"
  mkdir -p "$apt_home"/{lists,cache/archives}/partial "$stage/debs" "$stage/tree"
  [[ -r $keyring ]] || { echo "no $keyring (apt-get install debian-archive-keyring)" && return 1; }
  "$sources" >"$apt_home/sources.list"
  [[ -s $apt_home/sources.list ]] ||
    { echo "this system's package sources name no Debian mirror; set ZONAL_LAB_MIRROR" && return 1; }
  # A source that fails is no matter as long as the package turns up in another.
  private_apt apt-get update >"$stage/apt.log" 2>&1 || true
  package=$(newest_package "$regex") ||
    { echo "no package like $regex to be had: $(apt_reason "$stage/apt.log")" && return 1; }
  local packages
  mapfile -t packages < <(packages_of "$package")
  ((${#packages[@]})) || { echo "the mirror names $package but does not have it" && return 1; }
  (cd "$stage/debs" && private_apt apt-get download "${packages[@]}") >"$stage/apt.log" 2>&1 ||
    { echo "downloading ${packages[*]} failed: $(apt_reason "$stage/apt.log")" && return 1; }
  for deb in "$stage"/debs/*.deb; do
    dpkg -x "$deb" "$stage/tree" || { echo "unpacking ${deb##*/} failed" && return 1; }
  done
  arrange "$stage/tree" || return 1
  rm -rf "${cache:?}/$name"
  mv "$stage/tree" "$cache/$name"
  rm -rf "$stage"
}

# One kernel, from the cache or from the mirror. 1 when it cannot be had.
provide() { # NAME SOURCES_FUNCTION IMAGE_REGEX
  local reason
  if [[ $refresh == yes || ! -f $cache/$1/release ]]; then
    if ! reason=$(fetch "$@"); then
      rm -rf "$cache/.stage-$1"
      echo "kernel $1: not available: $(tail -n 1 <<<"$reason")"
      # A failed refresh leaves the old one in place.
      [[ -f $cache/$1/release ]] || return 1
    fi
  fi
  echo "kernel $1: $(<"$cache/$1/release") in $cache/$1"
}

parse_arguments() {
  refresh=no only=all
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/zonal-lab
  while (($#)); do
    case $1 in
      --refresh) refresh=yes ;;
      --only) only=${2:?--only needs 6.1 or newest}; shift ;;
      -h | --help) usage; exit 0 ;;
      -*) die "unknown option $1 (see --help)" ;;
      *) cache=$1 ;;
    esac
    shift
  done
  [[ $only =~ ^(all|6\.1|newest)$ ]] || die "--only takes 6.1 or newest, not $only"
}

main() {
  parse_arguments "$@"
  need_tools
  mkdir -p "$cache"
  cache=$(cd "$cache" && pwd)
  # Two runs at once must not unpack into one folder.
  exec 9>"$cache/.lock"
  flock -w 600 9 || die "another run holds $cache/.lock"
  if [[ $only != newest ]]; then
    provide 6.1 required_sources 'linux-image-6\.1\.[0-9]+-[0-9]+-amd64' || exit 1
  fi
  if [[ $only != 6.1 ]]; then
    provide newest newest_sources 'linux-image-[0-9.]+\+deb13-amd64' || [[ $only == all ]] || exit 77
  fi
}

main "$@"
