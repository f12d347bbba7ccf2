# SPDX-License-Identifier: MIT
# ZONAL_SANITIZE reaches every target of this build, tests and tools included:
# a sanitizer must see the whole program.
if(ZONAL_SANITIZE)
  add_compile_options(-fsanitize=${ZONAL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ZONAL_SANITIZE})
endif()
