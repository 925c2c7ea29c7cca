// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>
#include <mugrad/method/mgd.h>
#include <mugrad/mpi/world.h>
#include <mugrad/solver/solve.h>

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace mugrad::mpi {

/// How ranks share the work.
struct SharingOptions {
  /// Examples are in so many parts, and labels are shared by ranks / row_shards; must divide the
  /// number of ranks.
  int row_shards = 1;
  /// A folder for checkpoints, made where there is none; empty: none are written. A complete one
  /// that is there, of the same data and options, is where training goes on.
  std::filesystem::path checkpoint = {};
  double checkpoint_seconds = 60;  ///< between them; 0: after every round
};

/// The files that training with checkpoints makes in their folder, and removes at its end.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder);

/// How ranks learn what their labels borrow.
enum class Exchange {
  none,     ///< nothing is borrowed
  columns,  ///< they fetch the weights of the labels that theirs are related to
  sums      ///< they add up panels of features over all labels: the cosine in its low-rank form
};
std::string_view to_string(Exchange exchange);

/// What training on many ranks gave, and what it took; the same on every rank.
struct SharedTraining {
  Index labels = 0;
  Index features = 0;
  TrainingReport report = {};
  Index rounds = 0;
  Index resumed_at = 0;  ///< the round of the checkpoint that was taken over; 0: none
  Index groups = 0;      ///< of labels that were solved together
  Exchange exchange = Exchange::none;
  Index exchanged_columns = 0;   ///< weight columns that ranks receive in one round, all together
  Index bytes_per_exchange = 0;  ///< and their bytes, or those of sums
  Index exchanges = 0;
  Index bytes = 0;      ///< received in all of them
  Index gradients = 0;  ///< of one label each, over all rows
  Index summed_bytes =
      0;  ///< that ranks received in rounds to add up what shared rows gave, all together
  std::vector<Index> peak_bytes = {};  ///< of memory, that each rank held at once
  /// Seconds of its processors that each rank worked before the rounds, and in them; waiting for
  /// others does not count.
  std::vector<double> setup_seconds = {}, work_seconds = {};
};

/// Trains MGD on a file and writes the model, with all ranks: each has some of the labels with
/// their weights, and some or all of the examples. One file, which loads as any model does. Its
/// bytes depend on the data, the options and, as far as rounding goes, on row_shards, but not on
/// the number of ranks. Every rank must call it, with the same arguments; `progress`, which may be
/// null, is told of the rounds on the first rank; when it asks to stop, all ranks do a round later,
/// with InterruptedError. `choose` makes the options for the data, whose names and widths are those
/// of all rows.
/// Throws as read_dataset and fit do; UsageError for the plain solver, for row_shards that do not
/// fit, and for a checkpoint of something else.
SharedTraining train(const World& world, const std::filesystem::path& data,
                     const ReadOptions& reading,
                     const std::function<MgdOptions(const Dataset&)>& choose,
                     const SharingOptions& sharing, const std::filesystem::path& model,
                     Progress* progress);

}  // namespace mugrad::mpi
