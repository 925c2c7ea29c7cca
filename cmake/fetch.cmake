# SPDX-License-Identifier: MIT
# mugrad_has_fetch: whether downloads of data sets can be built; if not, mugrad_fetch_left_out says why.
set(mugrad_has_fetch OFF)
set(mugrad_fetch_left_out "")
if(NOT MUGRAD_FETCH)
  set(mugrad_fetch_left_out "MUGRAD_FETCH is OFF")
else()
  find_package(CURL)
  find_package(OpenSSL 3.0 COMPONENTS Crypto)
  if(CURL_FOUND AND OPENSSL_FOUND)
    set(mugrad_has_fetch ON)
  else()
    set(mugrad_fetch_left_out "libcurl or OpenSSL is not there; Debian has libcurl4-openssl-dev and \
libssl-dev")
  endif()
endif()
if(mugrad_fetch_left_out)
  message(STATUS "Left out: downloads of data sets (src/fetch) and their tests, since "
                 "${mugrad_fetch_left_out}")
endif()
