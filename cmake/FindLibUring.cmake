# SPDX-License-Identifier: MIT
# Wraps liburing's pkg-config file as the target LibUring::LibUring.
find_package(PkgConfig QUIET REQUIRED)
pkg_check_modules(LibUring QUIET IMPORTED_TARGET liburing)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibUring REQUIRED_VARS LibUring_LINK_LIBRARIES
                                  VERSION_VAR LibUring_VERSION)
if(LibUring_FOUND AND NOT TARGET LibUring::LibUring)
  add_library(LibUring::LibUring ALIAS PkgConfig::LibUring)
endif()
