# SPDX-License-Identifier: MIT
# mugrad_has_mpi: whether training on many ranks can be built; if not, mugrad_mpi_left_out says why.
set(mugrad_has_mpi OFF)
set(mugrad_mpi_left_out "")
if(NOT MUGRAD_MPI)
  set(mugrad_mpi_left_out "MUGRAD_MPI is OFF")
else()
  # The C interface alone, which C++ uses too; the C compiler is asked for nothing else.
  include(CheckLanguage)
  check_language(C)
  if(CMAKE_C_COMPILER)
    enable_language(C)
    find_package(MPI COMPONENTS C)
    include("${CMAKE_CURRENT_LIST_DIR}/metis.cmake")
    if(MPI_C_FOUND AND TARGET mugrad::metis)
      set(mugrad_has_mpi ON)
    else()
      set(mugrad_mpi_left_out "MPI or METIS is not there; Debian has libopenmpi-dev, openmpi-bin and \
libmetis-dev")
    endif()
  else()
    set(mugrad_mpi_left_out "there is no C compiler to find MPI with")
  endif()
endif()
if(mugrad_mpi_left_out)
  message(STATUS "Left out: training on many ranks (src/mpi) and its tests, since "
                 "${mugrad_mpi_left_out}")
endif()
