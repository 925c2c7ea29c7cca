# SPDX-License-Identifier: MIT
# OpenBLAS. Where a serial build is found as an archive, what the library calls of it becomes one
# object of the library, mugrad_openblas_object, whose symbols no one else sees: it starts no threads,
# the process may hold another BLAS, and programs that link the library need none. Elsewhere
# mugrad_shares_openblas is ON: the shared one is linked, and the library limits it to one thread.
option(MUGRAD_OWN_OPENBLAS "Make a serial OpenBLAS part of the library" ON)
set(mugrad_openblas_object "")

# Says in `result` why the archive cannot be used; makes the object and leaves it empty otherwise.
function(mugrad_extract_openblas archive object result)
  # src/linalg/dense/openblas.h has the names of what is called, and those by which it calls them.
  set(header "${PROJECT_SOURCE_DIR}/src/linalg/dense/openblas.h")
  file(STRINGS "${header}" renames REGEX "^#define [a-z_]+ mugrad_")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${archive}" "${header}")
  set(needed "")
  set(renamed "")
  set(kept "")
  foreach(line IN LISTS renames)
    string(REGEX REPLACE "^#define ([a-z_]+) (mugrad_[a-z_]+)$" "\\1;\\2" names "${line}")
    list(GET names 0 theirs)
    list(GET names 1 ours)
    if(theirs MATCHES "^__wrap_")
      string(REPLACE "__wrap_" "--wrap=" wrapped "${theirs}")
      list(APPEND needed "${wrapped}")
    else()
      list(APPEND needed "--undefined=${theirs}")
    endif()
    list(APPEND renamed "--redefine-sym=${theirs}=${ours}")
    list(APPEND kept "--keep-global-symbol=${ours}")
  endforeach()
  # Another archive may be older than the one before: packages keep the times of their files.
  file(SIZE "${archive}" size)
  file(TIMESTAMP "${archive}" time "%s" UTC)
  set(source "${archive}, ${size} bytes of ${time}: ${needed} ${renamed}")
  if(EXISTS "${object}" AND EXISTS "${object}.source")
    file(READ "${object}.source" source_then)
    if(source STREQUAL source_then)
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
  endif()
  get_filename_component(folder "${object}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${CMAKE_LINKER}" -r ${needed} "${archive}" -o "${object}.whole"
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_NM}" --undefined-only "${object}.whole" OUTPUT_VARIABLE undefined
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_OBJDUMP}" -h "${object}.whole" OUTPUT_VARIABLE sections
                  COMMAND_ERROR_IS_FATAL ANY)
  if(undefined MATCHES "pthread_create|GOMP_")
    set(${result} "${archive} is not a serial build" PARENT_SCOPE)
  elseif(NOT sections MATCHES "[.]eh_frame")
    set(${result} "${archive} has no tables that exceptions could pass through it by" PARENT_SCOPE)
  elseif(undefined MATCHES "_gfortran|cblas_|__real_")
    set(${result} "${archive} lacks something that is called" PARENT_SCOPE)
  else()
    execute_process(COMMAND "${CMAKE_OBJCOPY}" --strip-debug ${renamed} "${object}.whole"
                    COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${CMAKE_OBJCOPY}" ${kept} "${object}.whole" "${object}"
                    COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE "${object}.source" "${source}")
    set(${result} "" PARENT_SCOPE)
  endif()
  file(REMOVE "${object}.whole")
endfunction()

set(mugrad_shares_openblas OFF)
set(mugrad_openblas_left_out "MUGRAD_OWN_OPENBLAS is OFF")
if(MUGRAD_OWN_OPENBLAS)
  # Debian has the serial one beside others, in a folder of its own.
  find_library(mugrad_openblas_archive NAMES libopenblas.a PATH_SUFFIXES openblas-serial)
  find_path(mugrad_openblas_include cblas.h PATH_SUFFIXES openblas openblas-serial)
  mark_as_advanced(mugrad_openblas_archive mugrad_openblas_include)
  if(NOT mugrad_openblas_archive OR NOT mugrad_openblas_include)
    set(mugrad_openblas_left_out "no libopenblas.a and cblas.h are found; Debian has them in \
libopenblas-serial-dev")
  elseif(NOT CMAKE_LINKER OR NOT CMAKE_OBJCOPY OR NOT CMAKE_NM OR NOT CMAKE_OBJDUMP)
    set(mugrad_openblas_left_out "there is no ld, objcopy, objdump and nm to take OpenBLAS apart with")
  else()
    set(mugrad_openblas_object "${PROJECT_BINARY_DIR}/openblas/openblas.o")
    mugrad_extract_openblas("${mugrad_openblas_archive}" "${mugrad_openblas_object}"
                            mugrad_openblas_left_out)
  endif()
endif()

if(mugrad_openblas_left_out)
  set(mugrad_openblas_object "")
  message(STATUS "OpenBLAS is the shared one, limited to one thread for the whole process, since "
                 "${mugrad_openblas_left_out}")
  set(BLA_VENDOR OpenBLAS)
  find_package(BLAS REQUIRED)
  set(mugrad_shares_openblas ON)
else()
  message(STATUS "OpenBLAS is part of the library: ${mugrad_openblas_archive}")
  set_source_files_properties("${mugrad_openblas_object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  # As a system header, whose C clang warns of elsewhere.
  set(openblas_include_option "")
  if(NOT mugrad_openblas_include IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set(openblas_include_option "-isystem${mugrad_openblas_include}")
  endif()
  foreach(name dense/blas dense/lapack dense/symmetric_eigen dense/workspace
               pass/instruction_set)
    set_source_files_properties(
      "src/linalg/${name}.cpp" PROPERTIES
      COMPILE_DEFINITIONS MUGRAD_OWN_OPENBLAS COMPILE_OPTIONS "${openblas_include_option}"
      SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endif()
