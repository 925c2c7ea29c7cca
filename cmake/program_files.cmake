# SPDX-License-Identifier: MIT
# The manual page and the completions of shells, which the program writes when it is installed.
set(program_files "${CMAKE_CURRENT_BINARY_DIR}/program_files")

# install_output(FILE CALLED WORDS... TO FOLDER): what the program prints when it is called with the words.
function(install_output file)
  cmake_parse_arguments(PARSE_ARGV 1 output "" TO CALLED)
  string(REPLACE ";" " " words "${output_CALLED}")
  install(CODE "file(MAKE_DIRECTORY \"${program_files}\")
execute_process(COMMAND \"$<TARGET_FILE:mugrad>\" ${words}
                OUTPUT_FILE \"${program_files}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES "${program_files}/${file}" DESTINATION "${output_TO}")
endfunction()

if(NOT CMAKE_CROSSCOMPILING)
  install_output(mugrad.1 CALLED definitions man TO "${CMAKE_INSTALL_MANDIR}/man1")
  install_output(mugrad CALLED completions bash
                 TO "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install_output(_mugrad CALLED completions zsh TO "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install_output(mugrad.fish CALLED completions fish
                 TO "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
