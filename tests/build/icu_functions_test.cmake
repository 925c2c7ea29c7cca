# SPDX-License-Identifier: MIT
# Fails where LIBRARY, an archive, calls a function of ICU that may need ICU's data files: Python's
# package has the functions, but no data. The properties and the case mappings listed here are
# compiled into the functions.
execute_process(COMMAND "${NM}" -C --undefined-only "${LIBRARY}" OUTPUT_VARIABLE needs ERROR_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "U (icu_[0-9]+::[^\n]*|u[a-z]*_[A-Za-z0-9]+_[0-9]+)(\n|$)" calls "${needs}")
if(NOT "${calls}" MATCHES "u_tolower")
  message(FATAL_ERROR "What ${LIBRARY} calls of ICU was not found:\n${needs}")
endif()
foreach(call IN LISTS calls)
  if(NOT call MATCHES "u_getIntPropertyValue|u_charType|u_tolower|CaseMap::utf8ToLower|ByteSink::|UMemory::")
    message(FATAL_ERROR "${LIBRARY} calls a function of ICU that may need its data: ${call}")
  endif()
endforeach()
