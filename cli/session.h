// SPDX-License-Identifier: MIT
#pragma once

#include "command_files.h"
#include "ranks.h"

#include <mugrad/parallel/threads.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace mugrad::cli {

using Json = nlohmann::ordered_json;

/// What every command shares: results go to standard output, everything else to standard error.
class Session {
 public:
  /// With the ranks that run the command, which must outlive it: the first of them speaks.
  explicit Session(const Ranks& all);

  bool quiet = false;  ///< nothing on standard error but errors
  bool json = false;   ///< results as one JSON document
  Threads threads;
  const Ranks& ranks;
  CommandFiles files;  ///< what the command reads and writes; each says so before its work

  /// Something the user may not expect.
  void note(std::string_view message) const;
  /// Something the user should look at.
  void warn(std::string_view message) const;
  /// note(), as the library's readers want it.
  std::function<void(const std::string&)> note_function() const;

  /// Text to standard output, as it is. Throws InputError when that cannot be written.
  void print(std::string_view text) const;
  /// The document, indented, and a newline.
  void print_json(const Json& document) const;
};

/// Adds --quiet and --json.
void add_session_options(CLI::App& command, Session& session);
void add_threads_option(CLI::App& command, Session& session);
/// Ends the help of a command with examples.
void add_examples(CLI::App& command, std::string_view examples);

}  // namespace mugrad::cli
