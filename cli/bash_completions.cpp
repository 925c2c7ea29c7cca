// SPDX-License-Identifier: MIT
#include "completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mugrad::cli {
namespace {

constexpr const char* kBegin =
    R"(# Completes the arguments of mugrad in bash; written by: mugrad completions bash
_mugrad() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local path=mugrad word i names='' choices='' is_value='' is_list='' takes=''
  # bash makes three words of --name=value.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${COMP_WORDS[i]}" in
)";

constexpr const char* kEnd = R"(  esac
  COMPREPLY=()
  local first=''
  if [[ $is_list && $current == *,* ]]; then
    first=${current%,*},
    current=${current##*,}
  fi
  if [[ -z $is_value && $current == -* ]]; then
    choices=$names
    takes=''
  fi
  while IFS='' read -r word; do
    COMPREPLY+=("$word")
  done < <(
    compgen -P "$first" -W "$choices" -- "$current"
    case $takes in
      files) compgen -f -- "$current" ;;
      folders) compgen -d -- "$current" ;;
    esac
  )
  if [[ $takes ]]; then
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _mugrad mugrad
)";

std::string bash_settings(const OptionDefinition& option) {
  std::string text;
  if (!option.choices.empty()) text += fmt::format(" choices='{}'", fmt::join(option.choices, " "));
  if (option.is_list) text += " is_list=yes";
  if (option.takes_files) text += " takes=files";
  if (option.takes_folders) text += " takes=folders";
  return text;
}

/// What can follow the options of a command: its commands, or values of its arguments.
std::string bash_arguments(const CommandDefinition& command) {
  std::string choices, takes;
  for (const auto& below : command.commands) choices += below.path.back() + " ";
  for (const auto& argument : command.arguments) {
    for (const auto& choice : argument.choices) choices += choice + " ";
    if (argument.takes_files) takes = "files";
  }
  return fmt::format("choices='{}' takes={}", choices.substr(0, choices.find_last_not_of(' ') + 1),
                     takes.empty() ? "''" : takes);
}

std::string bash_case(const CommandDefinition& command) {
  std::string names, values;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) names += (names.empty() ? "" : " ") + name;
    if (option.value.empty()) continue;
    values += fmt::format("        {}) is_value=yes{} ;;\n", fmt::join(option.names, " | "),
                          bash_settings(option));
  }
  return fmt::format(
      "    '{}')\n      names='{}'\n      case $before in\n{}        *) {} ;;\n"
      "      esac\n      ;;\n",
      command.name(), names, values, bash_arguments(command));
}

}  // namespace

std::string bash_completions(const CommandDefinition& program) {
  std::string paths, cases;
  for (const auto* const command : all_commands(program)) {
    if (command != &program) paths += (paths.empty() ? "'" : " | '") + command->name() + "'";
    cases += bash_case(*command);
  }
  return fmt::format(
      "{}      {}) path+=\" ${{COMP_WORDS[i]}}\" ;;\n    esac\n  done\n"
      "  case $path in\n{}{}",
      kBegin, paths, cases, kEnd);
}

}  // namespace mugrad::cli
