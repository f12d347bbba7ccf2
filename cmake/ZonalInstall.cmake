# SPDX-License-Identifier: MIT
# What `cmake --install` leaves behind: library, headers, the command, and the
# files by which CMake and pkg-config find them.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/zonal)

install(TARGETS zonal EXPORT zonalTargets)
install(DIRECTORY include/zonal TYPE INCLUDE)
install(EXPORT zonalTargets NAMESPACE zonal:: DESTINATION ${package_dir})
if(TARGET zonal_cli)
  install(TARGETS zonal_cli)
endif()

configure_package_config_file(cmake/zonalConfig.cmake.in zonalConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break users.
write_basic_package_version_file(zonalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# A static library's own dependencies are found by the same modules that found
# them for us.
install(FILES ${PROJECT_BINARY_DIR}/zonalConfig.cmake ${PROJECT_BINARY_DIR}/zonalConfigVersion.cmake
              cmake/FindLibUring.cmake cmake/FindLibAio.cmake cmake/FindLibIsal.cmake
              cmake/FindLibXxhash.cmake cmake/FindLibZbd.cmake
        DESTINATION ${package_dir})

# Users of the static library link what it needs, with or without --static.
set(ZONAL_PC_REQUIRES "absl_status absl_statusor")
set(ZONAL_PC_PRIVATE "absl_cord absl_str_format liburing libisal libxxhash libcrypto")
if(ZONAL_WITH_LIBZBD)
  string(APPEND ZONAL_PC_PRIVATE " libzbd")
endif()
set(ZONAL_PC_LIBS "-lzonal")
set(ZONAL_PC_LIBS_PRIVATE "-laio -pthread")
get_target_property(zonal_kind zonal TYPE)
if(zonal_kind STREQUAL "STATIC_LIBRARY")
  string(APPEND ZONAL_PC_REQUIRES " ${ZONAL_PC_PRIVATE}")
  string(APPEND ZONAL_PC_LIBS " ${ZONAL_PC_LIBS_PRIVATE}")
endif()
# From the .pc file up to the prefix: the tree may be moved.
file(RELATIVE_PATH ZONAL_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/zonal.pc.in zonal.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/zonal.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
