// SPDX-License-Identifier: MIT
#include "completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mugrad::cli {
namespace {

/// A text within an argument of _arguments that stands in single quotes.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const OptionDefinition& option) {
  const auto choices = fmt::format("{}", fmt::join(option.choices, " "));
  if (option.takes_files && !choices.empty()) {
    return fmt::format("_alternative \"choices\\:choice\\:({})\" \"files\\:file\\:_files\"",
                       choices);
  }
  if (option.takes_files) return "_files";
  if (option.takes_folders) return "_files -/";
  if (choices.empty()) return " ";  // a value, which nobody can guess
  return option.is_list ? fmt::format("_sequence compadd - {}", choices)
                        : fmt::format("({})", choices);
}

std::string zsh_option(const OptionDefinition& option) {
  std::string text;
  for (const auto& name : option.names) {
    const bool is_long = name.starts_with("--");
    const char* const join = option.value.empty() ? "" : is_long ? "=" : "+";
    text += fmt::format("    '*{}{}[{}]", name, join, zsh_text(option.help));
    if (!option.value.empty()) {
      text += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option));
    }
    text += "' \\\n";
  }
  return text;
}

std::string zsh_function_name(const CommandDefinition& command) {
  return fmt::format("_{}", fmt::join(command.path, "_"));
}

/// Completes the options of a command, and its commands or arguments.
std::string zsh_function(const CommandDefinition& command) {
  std::string options, commands, calls;
  for (const auto& option : command.options) options += zsh_option(option);
  const std::string name = zsh_function_name(command);
  if (command.commands.empty()) {
    for (const auto& argument : command.arguments) {
      options += fmt::format("    '{}:{}:{}' \\\n", argument.is_repeated ? "*" : "",
                             zsh_text(argument.names.front()), zsh_action(argument));
    }
    return fmt::format("{}() {{\n  _arguments -s \\\n{}    && return\n}}\n\n", name, options);
  }
  for (const auto& below : command.commands) {
    commands += fmt::format("    '{}:{}'\n", below.path.back(), zsh_text(below.summary));
    calls += fmt::format("    {}) {} ;;\n", below.path.back(), zsh_function_name(below));
  }
  return fmt::format(
      "{}() {{\n  local curcontext=$curcontext state line\n"
      "  local -a commands=(\n{}  )\n"
      "  _arguments -C \\\n{}    '1: :->command' \\\n    '*:: :->arguments'\n"
      "  [[ $state != command ]] || _describe command commands\n"
      "  [[ $state == arguments ]] || return\n"
      "  case $words[1] in\n{}  esac\n}}\n\n",
      name, commands, options, calls);
}

}  // namespace

std::string zsh_completions(const CommandDefinition& program) {
  std::string text =
      "#compdef mugrad\n# Completes the arguments of mugrad in zsh; written by: mugrad "
      "completions zsh\n\n";
  for (const auto* const command : all_commands(program)) text += zsh_function(*command);
  // A file of fpath is called when it is loaded; eval only defines the functions.
  return text +
         "if [[ $funcstack[1] == _mugrad ]]; then\n  _mugrad \"$@\"\nelse\n  compdef _mugrad "
         "mugrad\nfi\n";
}

}  // namespace mugrad::cli
