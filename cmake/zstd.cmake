# SPDX-License-Identifier: MIT
# mugrad::zstd, where libzstd is found: not every build of it has a package file. For this build, and
# for those who find the installed package.
find_library(mugrad_zstd_library zstd)
find_path(mugrad_zstd_include zstd.h)
mark_as_advanced(mugrad_zstd_library mugrad_zstd_include)
if(mugrad_zstd_library AND mugrad_zstd_include AND NOT TARGET mugrad::zstd)
  add_library(mugrad::zstd UNKNOWN IMPORTED)
  set_target_properties(mugrad::zstd PROPERTIES
                        IMPORTED_LOCATION "${mugrad_zstd_library}"
                        INTERFACE_INCLUDE_DIRECTORIES "${mugrad_zstd_include}")
endif()
