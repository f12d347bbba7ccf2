# SPDX-License-Identifier: MIT
# Wraps isa-l's pkg-config file as the target LibIsal::LibIsal (CRC32C).
find_package(PkgConfig QUIET REQUIRED)
pkg_check_modules(LibIsal QUIET IMPORTED_TARGET libisal)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibIsal REQUIRED_VARS LibIsal_LINK_LIBRARIES
                                  VERSION_VAR LibIsal_VERSION)
if(LibIsal_FOUND AND NOT TARGET LibIsal::LibIsal)
  add_library(LibIsal::LibIsal ALIAS PkgConfig::LibIsal)
endif()
