# SPDX-License-Identifier: MIT
# The page of `mugrad report`, one HTML file: mugrad_report_page is its path, or empty when it is not
# built. Its packages are installed in the build folder when this is configured, and again only when
# the lock file changes; the page is built with everything else.
option(MUGRAD_REPORT_PAGE "Build the page of mugrad report, which needs npm" ON)

set(mugrad_report_page "")
set(mugrad_report_page_packages "${PROJECT_BINARY_DIR}/report_page")
set(page_source "${PROJECT_SOURCE_DIR}/src/report/page")

# Sets `installed` to whether the packages that the lock file names are there.
function(install_page_packages installed)
  set(${installed} FALSE PARENT_SCOPE)
  find_program(MUGRAD_NPM npm)
  find_program(MUGRAD_NODE NAMES node nodejs)
  if(NOT MUGRAD_NPM OR NOT MUGRAD_NODE)
    message(WARNING "npm was not found: mugrad report is built without its page. "
                    "Install nodejs and npm, or set MUGRAD_REPORT_PAGE=OFF.")
    return()
  endif()
  set(stamp "${mugrad_report_page_packages}/installed")
  set(state "")
  foreach(name package.json package-lock.json .npmrc)
    configure_file("${page_source}/${name}" "${mugrad_report_page_packages}/${name}" COPYONLY)
    file(SHA256 "${page_source}/${name}" digest)
    string(APPEND state "${digest}\n")
  endforeach()
  if(EXISTS "${stamp}")
    file(READ "${stamp}" before)
    if(before STREQUAL state)
      set(${installed} TRUE PARENT_SCOPE)
      return()
    endif()
  endif()
  message(STATUS "Installing the packages of the report page")
  execute_process(COMMAND "${MUGRAD_NPM}" ci --no-audit --no-fund --loglevel=error
                  WORKING_DIRECTORY "${mugrad_report_page_packages}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(WARNING "npm ci failed: mugrad report is built without its page. "
                    "Configure again to retry, or set MUGRAD_REPORT_PAGE=OFF.\n${output}")
    return()
  endif()
  file(WRITE "${stamp}" "${state}")
  set(${installed} TRUE PARENT_SCOPE)
endfunction()

if(MUGRAD_REPORT_PAGE)
  install_page_packages(page_packages_installed)
  if(page_packages_installed)
    set(mugrad_report_page "${PROJECT_BINARY_DIR}/page.html")
    file(GLOB page_files CONFIGURE_DEPENDS "${page_source}/*.js" "${page_source}/*.mjs"
         "${page_source}/*.css" "${page_source}/*.html" "${page_source}/views/*.js")
    add_custom_command(
      OUTPUT "${mugrad_report_page}"
      COMMAND "${MUGRAD_NODE}" "${page_source}/build.mjs" --out "${mugrad_report_page}"
      WORKING_DIRECTORY "${mugrad_report_page_packages}"
      DEPENDS ${page_files} "${mugrad_report_page_packages}/installed"
      COMMENT "Building the report page"
      VERBATIM)
    add_custom_target(mugrad_report_page ALL DEPENDS "${mugrad_report_page}")
  endif()
endif()
