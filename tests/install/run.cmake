# SPDX-License-Identifier: MIT
# Installs the build in BUILD below a fresh prefix, then builds and runs a project that finds it.
set(work "${BUILD}/install-test")
file(REMOVE_RECURSE "${work}")
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${code}):\n${output}")
  endif()
endfunction()
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix")
run("${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${work}/build" "-DCMAKE_BUILD_TYPE=Release"
    "-DCMAKE_PREFIX_PATH=${work}/prefix" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/uses_mugrad")
run("${work}/prefix/bin/mugrad" --version)
