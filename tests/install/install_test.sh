#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the library into an empty folder, and builds and runs an outside
# project against it: once by find_package, once by pkg-config.
# Usage: install_test.sh BUILD_FOLDER LIBDIR COMPILER
set -euo pipefail
build=$1 libdir=$2 compiler=$3
project=$(cd "$(dirname "$0")/project" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
for header in "$project"/../../../include/zonal/*.h; do
  test -f "$prefix/include/zonal/$(basename "$header")"
done
# The package must stand without the tree it came from.
test -f "$prefix/$libdir/pkgconfig/zonal.pc"
if grep -rlF "$build" "$prefix/$libdir/cmake" "$prefix/$libdir/pkgconfig"; then
  echo "the installed files above name the build folder" >&2
  exit 1
fi

# The writes land one after the other, 64 KiB apart.
check_output() { # name output
  for offset in 0 65536 131072 196608; do
    grep -qE "landed at byte +$offset:" <<<"$2" || { echo "$1 printed: $2" >&2; exit 1; }
  done
  echo "$1: ok"
}

cmake -S "$project" -B "$work/by_cmake" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$prefix" >"$work/log"
cmake --build "$work/by_cmake" >"$work/log" || { cat "$work/log"; exit 1; }
check_output find_package "$("$work/by_cmake/outside")"

# A version that is too new, or of another minor version, is refused.
for version in 0.2 1.0; do
  mkdir -p "$work/refused"
  sed "s/zonal 0.1 /zonal $version /" "$project/CMakeLists.txt" >"$work/refused/CMakeLists.txt"
  cp "$project/main.cc" "$work/refused/"
  if cmake -S "$work/refused" -B "$work/refused/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$compiler" >"$work/log" 2>&1; then
    echo "find_package(zonal $version) was not refused" >&2
    exit 1
  fi
done

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs zonal)"
# The compiler's default may be older than what the headers need.
"$compiler" -std=c++20 "$project/main.cc" -o "$work/by_pkg_config" "${flags[@]}"
check_output pkg-config "$("$work/by_pkg_config")"

if [[ -e $prefix/bin/zonal ]]; then "$prefix/bin/zonal" --version; fi
