# SPDX-License-Identifier: MIT
# Wraps libzbd's pkg-config file as the target LibZbd::LibZbd.
find_package(PkgConfig QUIET REQUIRED)
pkg_check_modules(LibZbd QUIET IMPORTED_TARGET libzbd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibZbd REQUIRED_VARS LibZbd_LINK_LIBRARIES
                                  VERSION_VAR LibZbd_VERSION)
if(LibZbd_FOUND AND NOT TARGET LibZbd::LibZbd)
  add_library(LibZbd::LibZbd ALIAS PkgConfig::LibZbd)
endif()
