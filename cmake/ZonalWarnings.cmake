# SPDX-License-Identifier: MIT
# Our warnings, private to our own targets: a user's build never sees them.
add_library(zonal_warnings INTERFACE)
target_compile_options(zonal_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${ZONAL_WERROR}>:-Werror>)
# g++ 12 at -O3 sees overlaps in std::string where there are none (GCC bug 105651).
target_compile_options(zonal_warnings INTERFACE
  $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
