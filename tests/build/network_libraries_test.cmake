# SPDX-License-Identifier: MIT
# Fails where one of FILES, archives and shared objects separated by |, calls or needs a library for
# downloads.
string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  if(file MATCHES "[.]a$")
    execute_process(COMMAND "${NM}" --undefined-only "${file}" OUTPUT_VARIABLE needs
                    ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  else()
    execute_process(COMMAND "${OBJDUMP}" -p "${file}" OUTPUT_VARIABLE needs
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(NOT needs MATCHES "pthread|libc[.]so|memcpy")
    message(FATAL_ERROR "What ${file} needs was not found:\n${needs}")
  endif()
  string(REGEX MATCH "libcurl[^\n]*|libcrypto[^\n]*|libssl[^\n]*|U curl_[^\n]*|U EVP_[^\n]*" found
         "${needs}")
  if(found)
    message(FATAL_ERROR "${file} needs ${found}")
  endif()
endforeach()
