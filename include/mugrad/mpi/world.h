// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/parallel/threads.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::mpi {

class Communicator;

/// Whether mpirun, or a launcher like it, started this process. Needs no MPI.
inline bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

/// Splits the process in two: the child returns and does the work, the parent waits for it and
/// never returns. A child that is killed then ends the job as a failure does, with a message that
/// names its rank and exit code 1, since the launcher sees the parent fail. To be called first of
/// all, before there are threads. Does nothing unless is_launched().
void supervise(int argc, char** argv);

/// All ranks of a job, from MPI's start to its end. One per process.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const noexcept;
  int size() const noexcept;
  bool is_first() const noexcept { return rank() == 0; }
  /// The cores that this rank may use, shared with the ranks that may use the same ones.
  Threads threads() const;

  /// A text of each rank, on the first rank; elsewhere nothing. Every rank must call it.
  std::vector<std::string> collect(std::string_view text) const;
  /// The first rank's text. Every rank must call it.
  std::string share(std::string_view text) const;

  /// To be called by a rank that has failed, in place of the rest of its work: waits a moment for
  /// all others to fail too, as they do when the call was wrong, and says whether they did. If so
  /// the first rank should speak for all, and all should end as usual; if not, this rank should
  /// speak for itself, and end without leaving MPI, which ends the job.
  bool have_all_failed() const;

  /// Whether the launcher's messages go to a terminal, where that can be known.
  static bool has_terminal();

  const Communicator& communicator() const noexcept { return *all_; }

 private:
  std::unique_ptr<Communicator> all_;
  std::unique_ptr<Communicator> for_failures_;
};

}  // namespace mugrad::mpi
