// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::mpi {
class World;
}

namespace mugrad::cli {

/// The processes that run a command together: only this one, unless mpirun started several.
class Ranks {
 public:
  /// Joins the others, if any. Throws UsageError if mpirun started the program and it was built
  /// without MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Whether mpirun started them, even if it is only one.
  bool are_launched() const noexcept { return world_ != nullptr; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  bool is_first() const noexcept { return rank_ == 0; }
  /// The default number of threads of this rank.
  Threads threads() const;
  /// Whether messages of this rank reach a terminal through the launcher.
  bool has_terminal() const;
  /// The texts of all ranks, on the first rank. Requires: are_launched(), as for the rest.
  std::vector<std::string> collect(std::string_view text) const;
  /// The first rank's text.
  std::string share(std::string_view text) const;
  const mpi::World& world() const noexcept { return *world_; }

  /// Ends this process after a failure that all others may have had, too. The message is printed
  /// once, or with the rank if only this one failed.
  [[noreturn]] void fail(int code, std::string_view message) noexcept;

  /// Throws UsageError if there are several ranks and the command does not support that.
  void check_command(std::string_view command) const;

 private:
  std::shared_ptr<mpi::World> world_;
  int rank_ = 0;
  int size_ = 1;
};

/// Forks as mpi::supervise does, if several processes were started.
void supervise(int argc, char** argv);

}  // namespace mugrad::cli
