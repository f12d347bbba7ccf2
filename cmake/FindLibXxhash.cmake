# SPDX-License-Identifier: MIT
# Wraps xxHash's pkg-config file as the target LibXxhash::LibXxhash.
find_package(PkgConfig QUIET REQUIRED)
pkg_check_modules(LibXxhash QUIET IMPORTED_TARGET libxxhash)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibXxhash REQUIRED_VARS LibXxhash_LINK_LIBRARIES
                                  VERSION_VAR LibXxhash_VERSION)
if(LibXxhash_FOUND AND NOT TARGET LibXxhash::LibXxhash)
  add_library(LibXxhash::LibXxhash ALIAS PkgConfig::LibXxhash)
endif()
