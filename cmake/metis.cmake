# SPDX-License-Identifier: MIT
# mugrad::metis, where METIS is found: it has no package file of its own. For this build, and for
# those who find the installed package.
find_library(mugrad_metis_library metis)
find_path(mugrad_metis_include metis.h)
mark_as_advanced(mugrad_metis_library mugrad_metis_include)
if(mugrad_metis_library AND mugrad_metis_include AND NOT TARGET mugrad::metis)
  add_library(mugrad::metis UNKNOWN IMPORTED)
  set_target_properties(mugrad::metis PROPERTIES
                        IMPORTED_LOCATION "${mugrad_metis_library}"
                        INTERFACE_INCLUDE_DIRECTORIES "${mugrad_metis_include}")
endif()
