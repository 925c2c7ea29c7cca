# SPDX-License-Identifier: MIT
# Installs the build in BUILD below a fresh prefix, then builds and runs a project that finds it, with
# the warnings that users turn on as errors: by each of g++ and clang++ that is there, but under
# sanitizers (SANITIZER) by the compiler of the build (CXX) alone, since they do not mix.
set(work "${BUILD}/install-test")
file(REMOVE_RECURSE "${work}")
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${code}):\n${output}")
  endif()
endfunction()
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix")

set(flags "-Wall -Wextra -Wconversion -Werror")
set(compilers "${CXX}")
if(SANITIZER)
  string(APPEND flags " -fsanitize=${SANITIZER}")
else()
  foreach(name g++ clang++)
    find_program(found_${name} ${name})
    if(found_${name})
      list(APPEND compilers "${found_${name}}")
    endif()
  endforeach()
  list(TRANSFORM compilers REPLACE "/c\\+\\+$" "/g++")
  list(REMOVE_DUPLICATES compilers)
endif()
foreach(compiler IN LISTS compilers)
  get_filename_component(name "${compiler}" NAME)
  set(build "${work}/${name}")
  message(STATUS "The installed package is used with ${compiler}")
  run("${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${build}" "-DCMAKE_BUILD_TYPE=Release"
      "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_PREFIX_PATH=${work}/prefix"
      "-DCMAKE_CXX_FLAGS=${flags}" "-DUSES_MPI=${MPI}" "-DEXAMPLES=${EXAMPLES}")
  run("${CMAKE_COMMAND}" --build "${build}")
  run("${build}/uses_mugrad")
  if(MPI)
    # What MPI's libraries do is not for the sanitizers: see tests/CMakeLists.txt.
    run("${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=detect_deadlocks=0
        "${build}/uses_mpi")
  endif()
endforeach()

if(MPI)
  file(GLOB_RECURSE targets "${work}/prefix/*/mugrad-mpi-targets*.cmake")
  foreach(file IN LISTS targets)
    file(STRINGS "${file}" places REGEX "libmetis")
    if(places)
      message(FATAL_ERROR "${file} says where METIS was when this was built: ${places}")
    endif()
  endforeach()
endif()
run("${work}/prefix/bin/mugrad" --version)
