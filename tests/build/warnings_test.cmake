# SPDX-License-Identifier: MIT
# Configures ROOT below WORK as users and as developers do: a warning of a compiler that nobody has
# tried yet must not keep users from building, and developers see every one. PYTHON says whether the
# Python package can be built.
file(REMOVE_RECURSE "${WORK}")

# Sets `result` to how many of the compile commands have -Werror: none, some or all.
function(warnings_are_errors result name)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${ROOT}" -B "${WORK}/${name}" ${ARGN}
            -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "-DMUGRAD_BUILD_PYTHON=${PYTHON}"
            -DMUGRAD_REPORT_PAGE=OFF -DMUGRAD_MPI=OFF
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "cmake ${ARGN} failed (${code}):\n${output}")
  endif()
  file(STRINGS "${WORK}/${name}/compile_commands.json" commands REGEX "\"command\":")
  list(LENGTH commands count)
  list(FILTER commands INCLUDE REGEX " -Werror ")
  list(LENGTH commands strict)
  if(count EQUAL 0)
    message(FATAL_ERROR "cmake ${ARGN} compiles nothing")
  elseif(strict EQUAL 0)
    set(${result} none PARENT_SCOPE)
  elseif(strict EQUAL count)
    set(${result} all PARENT_SCOPE)
  else()
    set(${result} some PARENT_SCOPE)
  endif()
endfunction()

function(expect wanted name)
  warnings_are_errors(found "${name}" ${ARGN})
  if(NOT found STREQUAL wanted)
    message(SEND_ERROR "${name}: ${found} of the compile commands have -Werror, not ${wanted}")
  endif()
endfunction()

expect(none plain -G Ninja)
expect(none release --preset release)
expect(none test --preset test)
expect(all strict-test --preset strict-test)
expect(all sanitize --preset sanitize)
