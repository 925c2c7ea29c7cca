# SPDX-License-Identifier: MIT
# What every target of this build is compiled with. Nothing here reaches users of the library.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(ccache_program ccache)
if(ccache_program AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ccache_program}")
  # Lets ccache store objects that use a precompiled header.
  set(ENV{CCACHE_SLOPPINESS} "pch_defines,time_macros")
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  else()
    add_compile_options(-fpch-preprocess)
  endif()
endif()

add_library(mugrad_compiler INTERFACE)
target_compile_options(
  mugrad_compiler
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
            -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference
            # Structs of the tests need no defaults; every public one does, or users' compilers would warn.
            "$<$<BOOL:$<TARGET_PROPERTY:MUGRAD_IS_TEST>>:-Wno-missing-field-initializers>")
if(MUGRAD_WARNINGS_AS_ERRORS)
  target_compile_options(mugrad_compiler INTERFACE -Werror)
endif()
# Sums must come out the same in every build type and on every optimisation level.
target_compile_options(mugrad_compiler INTERFACE -ffp-contract=off)

if(MUGRAD_SANITIZER)
  add_compile_options("-fsanitize=${MUGRAD_SANITIZER}" -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options("-fsanitize=${MUGRAD_SANITIZER}")
  # Assertions on; lines for the reports, at a third of the compile time of -O2 -g.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Its flow warnings misfire on instrumented code.
    target_compile_options(mugrad_compiler INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized)
  endif()
endif()
