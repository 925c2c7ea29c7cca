// SPDX-License-Identifier: MIT
#include "ranks.h"

#include "core/printable.h"
#include "process.h"
#include "progress.h"

#include <mugrad/core/error.h>
#include <mugrad/mpi/train.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace mugrad::cli {
namespace {

constexpr std::array<std::string_view, 4> kShared = {"train", "tune", "predict", "evaluate"};

void say(std::string_view message) {
  ProgressLine::clear();
  try {
    finish_result();
  } catch (const InputError&) {
    // The run has already failed, and the message says why.
  }
  write_message(fmt::format("mugrad: {}\n", printable_lines(message)));
}

}  // namespace

void Ranks::check_command(std::string_view command) const {
  if (size() == 1 || std::ranges::find(kShared, command) != kShared.end()) return;
  throw UsageError(fmt::format("{} cannot run under mpirun: the commands that can are {}", command,
                               fmt::join(kShared, ", ")));
}

#ifdef MUGRAD_WITH_MPI

void supervise(int argc, char** argv) { mpi::supervise(argc, argv); }

Ranks::Ranks() {
  if (!mpi::is_launched()) return;
  world_ = std::make_shared<mpi::World>();
  rank_ = world_->rank();
  size_ = world_->size();
}

Ranks::~Ranks() = default;

Threads Ranks::threads() const { return world_->threads(); }
bool Ranks::has_terminal() const { return are_launched() && mpi::World::has_terminal(); }
std::vector<std::string> Ranks::collect(std::string_view text) const {
  return world_->collect(text);
}
std::string Ranks::share(std::string_view text) const { return world_->share(text); }

void Ranks::fail(int code, std::string_view message) noexcept {
  if (are_launched() && !world_->have_all_failed()) {
    say(fmt::format("rank {} of {}: {}", rank_, size_, message));
    std::_Exit(code);  // without leaving MPI, so that the others end too
  }
  if (is_first()) say(message);
  world_.reset();
  std::exit(code);
}

#else

void supervise(int, char**) {}

Ranks::Ranks() {
  if (!mpi::is_launched()) return;
  throw UsageError(
      "this program was built without MPI, so mpirun would run several independent copies");
}

Ranks::~Ranks() = default;
Threads Ranks::threads() const { return {}; }
bool Ranks::has_terminal() const { return false; }
std::vector<std::string> Ranks::collect(std::string_view text) const { return {std::string(text)}; }
std::string Ranks::share(std::string_view text) const { return std::string(text); }

void Ranks::fail(int code, std::string_view message) noexcept {
  say(message);
  std::exit(code);
}

#endif

}  // namespace mugrad::cli
