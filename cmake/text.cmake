# SPDX-License-Identifier: MIT
# What texts become terms with: properties of characters from ICU, and the hash of xxHash, whose header
# is all that is used of it.
find_package(ICU COMPONENTS uc)
if(NOT ICU_FOUND)
  message(FATAL_ERROR "ICU is not there, which has the properties of characters; Debian has it in \
libicu-dev")
endif()
find_path(mugrad_xxhash_include xxhash.h)
mark_as_advanced(mugrad_xxhash_include)
if(NOT mugrad_xxhash_include)
  message(FATAL_ERROR "xxhash.h is not there; Debian has it in libxxhash-dev")
endif()
# As a system header; a folder that the compiler looks in anyway must keep its place.
set(mugrad_xxhash_options "")
if(NOT mugrad_xxhash_include IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(mugrad_xxhash_options "-isystem${mugrad_xxhash_include}")
endif()
set_source_files_properties(src/data/text/term_hash.cpp PROPERTIES COMPILE_OPTIONS
                                                                   "${mugrad_xxhash_options}")
