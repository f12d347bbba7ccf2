# SPDX-License-Identifier: MIT
# zonal_test(NAME SOURCES a.cc ... [LABELS unit ...] [LIBRARIES ...] [TIMEOUT seconds])
# One executable, one CTest entry. Tests may include private headers of lib/.
function(zonal_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE zonal::zonal zonal_catch_main zonal_warnings ${arg_LIBRARIES})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()

add_library(zonal_catch_main STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_main.cc)
target_link_libraries(zonal_catch_main PUBLIC Catch2::Catch2)
# The same standard as the tests: what Catch2 prints depends on it.
target_compile_features(zonal_catch_main PUBLIC cxx_std_20)
