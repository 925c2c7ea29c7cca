# SPDX-License-Identifier: MIT
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS mugrad_library EXPORT mugrad-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/mugrad "${CMAKE_CURRENT_BINARY_DIR}/include/mugrad"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h"
        PATTERN "mugrad/fetch" EXCLUDE PATTERN "mugrad/mpi" EXCLUDE)
if(MUGRAD_BUILD_CLI)
  install(TARGETS mugrad RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  include(cmake/program_files.cmake)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mugrad")
install(EXPORT mugrad-targets NAMESPACE mugrad:: DESTINATION "${package_dir}")
if(mugrad_has_fetch)
  # A component of its own: who does without it needs neither libcurl nor OpenSSL.
  install(TARGETS mugrad_fetch EXPORT mugrad-fetch-targets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY include/mugrad/fetch DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mugrad")
  install(EXPORT mugrad-fetch-targets NAMESPACE mugrad:: DESTINATION "${package_dir}")
endif()
if(mugrad_has_mpi)
  # A component of its own: who does without it needs no MPI.
  install(TARGETS mugrad_mpi EXPORT mugrad-mpi-targets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY include/mugrad/mpi DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mugrad")
  install(FILES cmake/metis.cmake DESTINATION "${package_dir}")
  install(EXPORT mugrad-mpi-targets NAMESPACE mugrad:: DESTINATION "${package_dir}")
endif()
configure_package_config_file(cmake/mugrad-config.cmake.in
                              "${CMAKE_CURRENT_BINARY_DIR}/mugrad-config.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/mugrad-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/zstd.cmake "${CMAKE_CURRENT_BINARY_DIR}/mugrad-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/mugrad-config-version.cmake"
        DESTINATION "${package_dir}")
