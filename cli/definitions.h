// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <string>
#include <vector>

namespace mugrad::cli {

/// An option or argument of a command, as the parser defines it.
struct OptionDefinition {
  std::vector<std::string> names = {};  ///< such as -o and --output; an argument has its name alone
  std::string value = {};  ///< what the help calls its value, such as FILE; empty: a flag
  std::string help = {};
  std::string initial = {};  ///< its default, unless `help` says it
  std::string limits = {};   ///< which values are valid, where they are not `choices`
  std::string group = {};    ///< the heading in the help
  std::vector<std::string> choices = {};
  std::vector<std::string> needs = {}, excludes = {};  ///< names of other options
  bool is_required = false;
  bool is_list = false;  ///< its values are separated by commas
  bool is_repeated = false;
  bool takes_files = false;
  bool takes_folders = false;
};

/// A command with its options and commands of its own. The help does not list hidden ones, and
/// neither does this.
struct CommandDefinition {
  std::vector<std::string> path = {};  ///< the words to call it by: mugrad study convergence
  std::string summary = {};
  std::string footer = {};  ///< examples
  std::vector<OptionDefinition> options = {}, arguments = {};
  std::vector<CommandDefinition> commands = {};

  [[nodiscard]] std::string name() const;  ///< the words of the path
};

/// What the parser knows: the source of the manual page, the reference and completions.
CommandDefinition definition_of(CLI::App& app);
Json as_json(const CommandDefinition& command);

/// The command and all below it, each before its own commands.
std::vector<const CommandDefinition*> all_commands(const CommandDefinition& command);

/// The manual page, in the man macros of roff.
std::string manual_page(const CommandDefinition& program);

}  // namespace mugrad::cli
