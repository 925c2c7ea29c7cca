# SPDX-License-Identifier: MIT
# mugrad_has_mpi: whether training on many ranks can be built; mugrad_metis: the library it needs.
set(mugrad_has_mpi OFF)
if(MUGRAD_MPI AND MUGRAD_SANITIZER)
  message(STATUS "Left out: training on many ranks (src/mpi) and its tests, since sanitizers report "
                 "what MPI's own libraries do")
elseif(MUGRAD_MPI)
  # The C interface alone, which C++ uses too; without it the C compiler is asked for nothing else.
  enable_language(C)
  find_package(MPI COMPONENTS C)
  find_library(mugrad_metis metis)
  find_path(mugrad_metis_include metis.h)
  if(MPI_C_FOUND AND mugrad_metis AND mugrad_metis_include)
    set(mugrad_has_mpi ON)
  else()
    message(STATUS "Left out: training on many ranks (src/mpi) and its tests, since MPI or METIS "
                   "is not there; Debian has libopenmpi-dev, openmpi-bin and libmetis-dev")
  endif()
else()
  message(STATUS "Left out: training on many ranks (src/mpi) and its tests, since MUGRAD_MPI is OFF")
endif()
