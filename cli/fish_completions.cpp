// SPDX-License-Identifier: MIT
#include "completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace mugrad::cli {
namespace {

constexpr const char* kPredicates =
    R"(# Completes the arguments of mugrad in fish; written by: mugrad completions fish
# Whether these are the first words after mugrad.
function __mugrad_is_at
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last
    and test "$words[2..$last]" = "$argv"
end
# Whether these are the only words.
function __mugrad_ends_at
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end
complete -c mugrad -f
)";

std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string fish_condition(const CommandDefinition& command) {
  const std::span<const std::string> words(command.path);
  return fmt::format("{} {}", command.commands.empty() ? "__mugrad_is_at" : "__mugrad_ends_at",
                     fmt::join(words.subspan(1), " "));
}

std::string fish_values(const OptionDefinition& option) {
  std::string text;
  if (option.takes_files) text += " -F";
  const auto choices = fmt::format("{}", fmt::join(option.choices, " "));
  if (option.is_list && !choices.empty()) {
    text += fmt::format(" -a '(__fish_append , {})'", choices);
  } else if (!choices.empty()) {
    text += fmt::format(" -a '{}'", choices);
  } else if (option.takes_folders) {
    text += " -a '(__fish_complete_directories)'";
  }
  return text;
}

std::string fish_option(const OptionDefinition& option, const std::string& start) {
  std::string text = start;
  for (const auto& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  if (!option.value.empty()) text += " -r" + fish_values(option);
  return text + " -d " + fish_quoted(option.help) + "\n";
}

}  // namespace

std::string fish_completions(const CommandDefinition& program) {
  std::string text = kPredicates;
  for (const auto* const command : all_commands(program)) {
    const auto start =
        fmt::format("complete -c mugrad -n {}", fish_quoted(fish_condition(*command)));
    for (const auto& below : command->commands) {
      text += fmt::format("{} -a {} -d {}\n", start, below.path.back(), fish_quoted(below.summary));
    }
    for (const auto& argument : command->arguments) {
      const auto values = fish_values(argument);
      if (!values.empty()) text += start + values + "\n";
    }
    for (const auto& option : command->options) text += fish_option(option, start);
  }
  return text;
}

}  // namespace mugrad::cli
