// SPDX-License-Identifier: MIT
#pragma once

#include "command_files.h"
#include "command_line.h"
#include "ranks.h"

#include <mugrad/parallel/thread_pool.h>

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace mugrad::cli {

using Json = nlohmann::ordered_json;

/// State shared by all commands: results go to standard output, everything else to standard error.
class Session {
 public:
  /// The ranks that run the command must outlive it; only the first one prints.
  explicit Session(const Ranks& all);

  bool quiet = false;  ///< only errors on standard error
  bool json = false;   ///< results as one JSON document
  Threads threads;
  const Ranks& ranks;
  CommandFiles files;  ///< files that the command reads and writes, declared before its work

  /// Reports something the user may not expect.
  void note(std::string_view message) const;
  /// Reports something the user should check.
  void warn(std::string_view message) const;
  /// note() as a function for the library's readers.
  std::function<void(const std::string&)> note_function() const;

  /// Writes text to standard output unchanged. Throws InputError on failure.
  void print(std::string_view text) const;
  /// The document, indented, and a newline.
  void print_json(const Json& document) const;
};

/// Adds --quiet and --json.
void add_session_options(CLI::App& command, Session& session);
void add_threads_option(CLI::App& command, Session& session);
}  // namespace mugrad::cli
