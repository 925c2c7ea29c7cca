// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/method/mgd.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::mpi {

class Communicator;

/// Whether mpirun or a similar launcher started this process. Does not need MPI.
inline bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

/// Forks: the child returns and does the work; the parent waits for it and never returns. If the
/// child is killed, the parent fails with a message that names the rank and with exit code 1, which
/// the launcher then reports. Call it first, before any threads exist. Does nothing unless
/// is_launched().
void supervise(int argc, char** argv);

/// All ranks of a job, from MPI's initialisation to its end. One per process.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const noexcept;
  int size() const noexcept;
  bool is_first() const noexcept { return rank() == 0; }
  /// The cores of this rank, divided by the ranks that may use the same ones.
  Threads threads() const;

  /// The texts of all ranks on the first rank, empty elsewhere. Every rank must call it.
  std::vector<std::string> collect(std::string_view text) const;
  /// The first rank's text. Every rank must call it.
  std::string share(std::string_view text) const;

  /// Called by a rank that has failed, instead of the rest of its work: waits briefly for all
  /// others to fail too, as they do if the call was wrong, and returns whether they did. If so,
  /// only the first rank should report the error, and all should end normally. Otherwise this rank
  /// should report it and end without leaving MPI, which ends the job.
  bool have_all_failed() const;

  /// Whether the launcher's messages go to a terminal, if that can be determined.
  static bool has_terminal();

  const Communicator& communicator() const noexcept { return *all_; }

 private:
  std::unique_ptr<Communicator> all_;
  std::unique_ptr<Communicator> for_failures_;
};

/// How ranks share the work.
struct SharingOptions {
  /// Number of parts of the examples; must divide the number of ranks. In each part, the labels are
  /// divided among ranks / row_shards ranks.
  int row_shards = 1;
  /// Folder for checkpoints, created if missing; empty: no checkpoints. Training resumes from a
  /// complete checkpoint of the same data and options.
  std::filesystem::path checkpoint = {};
  double checkpoint_seconds = 60;  ///< between checkpoints; 0: after every round
};

/// The files that training with checkpoints creates in the folder, and removes at its end.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder);

/// How ranks obtain the weights that their labels borrow.
enum class Exchange {
  none,     ///< nothing is borrowed
  columns,  ///< ranks fetch the weights of related labels
  sums      ///< ranks sum panels of features over all labels: the low-rank form of the cosine
};
std::string_view to_string(Exchange exchange);

/// Results and costs of training on many ranks; the same on every rank. Costs are those of the last
/// solve, on all rows: folds, and labels trained alone, are only included in the peak memory.
struct SharedTraining {
  Index labels = 0;
  Index features = 0;
  TrainingReport report = {};
  std::vector<double> thresholds = {};  ///< chosen ones; empty: those of the method were kept
  bool is_calibrated = false;           ///< scores were calibrated by inner folds
  Index rounds = 0;
  Index resumed_at = 0;  ///< round of the checkpoint that training resumed from; 0: none
  Index groups = 0;      ///< of labels that were solved together
  Exchange exchange = Exchange::none;
  Index exchanged_columns = 0;   ///< weight columns that all ranks together receive in one round
  Index bytes_per_exchange = 0;  ///< bytes of these columns, or of the sums
  Index exchanges = 0;
  Index bytes = 0;      ///< received in all exchanges
  Index gradients = 0;  ///< of one label each, over all rows
  /// Bytes that all ranks together received in the rounds to sum over shared rows.
  Index summed_bytes = 0;
  std::vector<Index> peak_bytes = {};  ///< peak memory of each rank
  /// Processor seconds of each rank before and during the rounds; waiting for other ranks is not
  /// counted.
  std::vector<double> setup_seconds = {}, work_seconds = {};
};

/// Trains MGD on a file with all ranks and writes the model. Each rank has some of the labels with
/// their weights, and some or all of the examples. The model is a single ordinary file. Its bytes
/// depend on the data, the options and, through rounding, on row_shards, but not on the number of
/// ranks. Every rank must call this with the same arguments. `progress`, which may be null,
/// receives the rounds on the first rank; if it asks to stop, all ranks stop one round later with
/// InterruptedError. `choose` returns the options for the data; the names and widths of its
/// argument are those of all rows. `tuning` says whether scores are calibrated and how
/// thresholds are chosen, as in fit_by_inner_folds, before the training on all rows; of its search,
/// only `trial_only` is used. Throws as read_dataset and fit, and UsageError for the plain solver,
/// for unsuitable row_shards, and for a checkpoint of other data or options.
SharedTraining train(const World& world, const std::filesystem::path& data,
                     const ReadOptions& reading,
                     const std::function<MgdOptions(const Dataset&)>& choose,
                     const TuneOptions& tuning, const SharingOptions& sharing,
                     const std::filesystem::path& model, Progress* progress);

}  // namespace mugrad::mpi
