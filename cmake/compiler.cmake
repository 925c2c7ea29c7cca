# SPDX-License-Identifier: MIT
# What every target of this build is compiled with. Nothing here reaches users of the library.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(ccache_program ccache)
if(ccache_program AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The variables let ccache store objects that use a precompiled header, and find those that another
  # clone has compiled, whoever starts the build: also with debug information, which then names that
  # clone.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${ccache_program}")
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
  # Reports name files from the root of the repository, and objects do not depend on where it lies.
  add_compile_options("-fsanitize=${MUGRAD_SANITIZER}" -fno-omit-frame-pointer
                      -fno-sanitize-recover=all "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
  add_link_options("-fsanitize=${MUGRAD_SANITIZER}")
  # Assertions on; lines for the reports, at a third of the compile time of -O2 -g.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Its flow warnings misfire on instrumented code.
    target_compile_options(mugrad_compiler INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized)
  endif()
endif()
