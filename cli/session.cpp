// SPDX-License-Identifier: MIT
#include "session.h"

#include "core/printable.h"
#include "process.h"
#include "progress.h"

#include <fmt/format.h>

namespace mugrad::cli {

Session::Session(const Ranks& all) : ranks(all) {
  if (all.are_launched()) threads = all.threads();
}

void Session::note(std::string_view message) const {
  if (quiet || !ranks.is_first()) return;
  ProgressLine::clear();
  write_message(fmt::format("mugrad: {}\n", printable_lines(message)));
}

void Session::warn(std::string_view message) const { note(fmt::format("warning: {}", message)); }

std::function<void(const std::string&)> Session::note_function() const {
  return [this](const std::string& message) { note(message); };
}

void Session::print(std::string_view text) const {
  if (!ranks.is_first()) return;
  ProgressLine::clear();
  write_result(text);
}

void Session::print_json(const Json& document) const {  // a file name may not be UTF-8
  print(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void add_session_options(CLI::App& command, Session& session) {
  command.add_flag("-q,--quiet", session.quiet, "No progress, notes or warnings");
  command.add_flag("--json", session.json, "Print the result as one JSON document");
}

void add_threads_option(CLI::App& command, Session& session) {
  add_value(command, "--threads", session.threads.count, "N",
            "Number of threads; does not affect the result [default: all cores]")
      ->check(CLI::Range(1, Threads::kMost));
}

}  // namespace mugrad::cli
