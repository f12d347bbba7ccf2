# SPDX-License-Identifier: MIT
# Our warnings, private to our own targets: a user's build never sees them.
add_library(zonal_warnings INTERFACE)
target_compile_options(zonal_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${ZONAL_WERROR}>:-Werror>)
