// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace mugrad::cli {

/// Adds an option whose value the help calls `type`, such as FILE or N.
template <class Value>
CLI::Option* add_value(CLI::App& command, const std::string& names, Value& value,
                       const std::string& type, const std::string& help) {
  return command.add_option(names, value, help)->type_name(type);
}

/// Adds an option whose values are separated by commas.
template <class Value>
CLI::Option* add_list(CLI::App& command, const std::string& names, std::vector<Value>& values,
                      const std::string& type, const std::string& help) {
  return add_value(command, names, values, type, help)->delimiter(',')->allow_extra_args(false);
}

/// Adds an option whose default value the help shows.
template <class Value>
CLI::Option* add_default(CLI::App& command, const std::string& names, Value& value,
                         const std::string& help) {
  return command.add_option(names, value, help)->capture_default_str();
}

/// Lets completions offer these values of an option. Unlike with CLI::IsMember, the help does not
/// list them, and the command checks the value.
CLI::Option* suggest(CLI::Option* option, const std::vector<std::string>& values);
/// The values given to suggest(), if any.
std::vector<std::string> suggestions_of(CLI::Option& option);

/// Ends the help of a command with examples.
void add_examples(CLI::App& command, const std::string& examples);

/// Lets the names of an option be separated by blanks as well as by commas, beside files that may
/// be many: of `--metrics a b` the parser takes `a` for the option and `b` for a file. Moves the
/// words that are such names, and no files, from `files` to the end of `names`.
void take_names(std::vector<std::string>& files, std::vector<std::string>& names,
                const std::function<bool(const std::string&)>& is_name);

}  // namespace mugrad::cli
