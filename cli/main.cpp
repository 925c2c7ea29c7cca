// SPDX-License-Identifier: MIT
#include "commands.h"
#include "option_flags.h"
#include "process.h"
#include "progress.h"
#include "ranks.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/version.h>

#include <fmt/format.h>
#include <malloc.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>

namespace {

using mugrad::cli::kFailed;
using mugrad::cli::kWrongCall;

/// CLI11 only reports a missing command if there is none of the given name.
void check_command_name(const CLI::App& app, int argc, char** argv) {
  const std::string_view first = argc < 2 ? "" : argv[1];
  const bool is_option = first.starts_with('-');
  if (first.empty() || first == "-h" || first == "--help" || first == "--version") return;
  if (is_option) {
    throw mugrad::UsageError(fmt::format(
        "the first argument must be a command, but {} is not one: try mugrad --help", first));
  }
  std::string known;
  for (const auto* command : app.get_subcommands({})) {
    if (command->get_name() == argv[1]) return;
    if (command->get_group().empty()) continue;  // hidden
    known += fmt::format("{}{}", known.empty() ? "" : ", ", command->get_name());
  }
  throw mugrad::UsageError(
      fmt::format("there is no command '{}': choose one of {}", argv[1], known));
}

/// Keeps freed memory for the next array. Otherwise every large array of a short training gets new
/// pages from the system, and touching these for the first time takes a noticeable part of it.
void keep_freed_memory() noexcept {
#ifdef __GLIBC__
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 64 * kMegabyte);
#endif
}

struct CommandFailure {
  int code;
  std::string message;
};

void add_commands(CLI::App& app, mugrad::cli::Session& session) {
  using namespace mugrad::cli;
  for (const auto add : {add_train, add_tune, add_predict, add_evaluate, add_compare, add_study,
                         add_report, add_info, add_split, add_convert, add_generate, add_fetch,
                         add_certify, add_methods, add_demo, add_completions, add_definitions}) {
    add(app, session);
  }
}

/// Runs the command, or prints the requested help or version.
void parse_and_run(CLI::App& app, int argc, char** argv, const mugrad::cli::Ranks& ranks) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    text.exceptions(std::ios::badbit);  // rethrows bad_alloc
    app.exit(help_or_version, text, text);
    // CLI11 formats the text with streams, which silently omit text if memory runs out.
    if (mugrad::cli::has_run_out_of_memory()) throw std::bad_alloc();
    if (ranks.is_first()) mugrad::cli::write_result(text.str());
  } catch (const CLI::ParseError& error) {
    const auto used = app.get_subcommands();
    throw mugrad::UsageError(fmt::format("{}\nTry: mugrad {}--help", error.what(),
                                         used.empty() ? "" : used.front()->get_name() + " "));
  }
  mugrad::cli::finish_result();
}

void run_command(int argc, char** argv, const mugrad::cli::Ranks& ranks) {
  mugrad::cli::Session session(ranks);
  if (ranks.has_terminal()) mugrad::cli::ProgressLine::assume_terminal();
  CLI::App app("Mugrad learns many related labels at once: multi-task gradient descent.", "mugrad");
  app.set_version_flag("--version", std::string("mugrad ") + mugrad::kVersion);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer("Start here:\n  mugrad demo\n  mugrad train --help");
  add_commands(app, session);
  check_command_name(app, argc, argv);
  if (argc > 1 && *argv[1] != '-') ranks.check_command(argv[1]);
  parse_and_run(app, argc, argv, ranks);
}

/// Runs the command; returns its failure, if any.
std::optional<CommandFailure> run(int argc, char** argv, const mugrad::cli::Ranks& ranks) {
  try {
    run_command(argc, argv, ranks);
    return std::nullopt;
  } catch (const mugrad::UsageError& error) {
    return CommandFailure{kWrongCall, error.what()};
  } catch (const mugrad::InterruptedError& error) {
    return CommandFailure{mugrad::cli::interrupted_exit_code(),
                          fmt::format("{}; no file is half-written", error.what())};
  } catch (const mugrad::MemoryError& error) {
    return CommandFailure{kFailed,
                          fmt::format("{}; --memory unlimited overrides this", error.what())};
  } catch (const std::bad_alloc&) {
    return CommandFailure{kFailed, "out of memory"};
  } catch (const std::exception& error) {
    return CommandFailure{kFailed, error.what()};
  }
}

/// The ranks that run this together.
std::unique_ptr<mugrad::cli::Ranks> joined() {
  try {
    return std::make_unique<mugrad::cli::Ranks>();
  } catch (const mugrad::UsageError& error) {
    mugrad::cli::write_message(fmt::format("mugrad: {}\n", error.what()));
    std::exit(kWrongCall);
  }
}

}  // namespace

int main(int argc, char** argv) {
  mugrad::cli::take_standard_streams();
  keep_freed_memory();
  mugrad::cli::write_options_as_flags();
  mugrad::cli::supervise(argc, argv);
  const auto ranks = joined();
  mugrad::cli::handle_interrupts();
  const auto failure = run(argc, argv, *ranks);
  if (failure) ranks->fail(failure->code, failure->message);
  return 0;
}
