// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/parallel/threads.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::mpi {
class World;
}

namespace mugrad::cli {

/// The processes that run a command together: this one alone, unless mpirun started several.
class Ranks {
 public:
  /// Joins the others, where there are any. Throws UsageError when mpirun started the program and
  /// it was built without MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Whether mpirun started them, be it one alone.
  bool are_launched() const noexcept { return world_ != nullptr; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  bool is_first() const noexcept { return rank_ == 0; }
  /// As many as this rank should use, unless it is told otherwise.
  Threads threads() const;
  /// Whether what this rank says goes to a terminal, by way of the launcher.
  bool has_terminal() const;
  /// A text of each rank, on the first rank. Requires: are_launched(), as for the rest.
  std::vector<std::string> collect(std::string_view text) const;
  /// The first rank's text.
  std::string share(std::string_view text) const;
  const mpi::World& world() const noexcept { return *world_; }

  /// Ends this process after a failure that everyone else may have had, too; the message is said
  /// once, or with the rank where it is this one's alone.
  [[noreturn]] void fail(int code, std::string_view message) noexcept;

  /// Throws UsageError when there are many and the command is none that they share.
  void check_command(std::string_view command) const;

 private:
  std::shared_ptr<mpi::World> world_;
  int rank_ = 0;
  int size_ = 1;
};

/// Splits the process as mpi::supervise does, where several were started.
void supervise(int argc, char** argv);

}  // namespace mugrad::cli
