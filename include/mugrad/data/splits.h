// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// Row numbers of a train and a test part, each ascending.
struct SplitRows {
  std::vector<Index> train = {};
  std::vector<Index> test = {};
};

struct SplitOptions {
  double train = 0.8;  ///< share of the rows to train on, in (0, 1)
  std::uint64_t seed = 1;
};

/// The seed of one of several splits under the same seed: that seed itself for number 0. Numbers
/// above it share no split with those of another seed.
std::uint64_t split_seed(std::uint64_t seed, std::uint64_t number);

/// A uniformly random split; the train part has round(train * rows) rows, both have at least one.
SplitRows random_split_rows(Index rows, const SplitOptions& options = {});
/// A split that keeps every label's share alike in both parts (iterative stratification).
/// Both parts have at least one row. Updates `progress` every so many rows, as all that stratify
/// do.
SplitRows stratified_split_rows(const BinaryMatrix& labels, const SplitOptions& options = {},
                                Progress* progress = nullptr);

/// The part, from 0 to folds - 1, of each row: parts of a random order, sizes differing by at most
/// one.
std::vector<Index> k_fold_parts(Index rows, Index folds, std::uint64_t seed = 1);
/// The same by iterative stratification; no part is without rows.
std::vector<Index> stratified_k_fold_parts(const BinaryMatrix& labels, Index folds,
                                           std::uint64_t seed = 1, Progress* progress = nullptr);
/// Tests on the rows of that part and trains on all others.
SplitRows fold_of(std::span<const Index> part_of_row, Index part);

/// All folds of k_fold_parts: fold f tests on part f.
std::vector<SplitRows> k_fold_rows(Index rows, Index folds, std::uint64_t seed = 1);
/// All folds of stratified_k_fold_parts.
std::vector<SplitRows> stratified_k_fold_rows(const BinaryMatrix& labels, Index folds,
                                              std::uint64_t seed = 1, Progress* progress = nullptr);

/// Sechidis, Tsoumakas and Vlahavas 2011: the part (0 .. ratios.size() - 1) each row goes to, so
/// that part j gets about ratios[j] of the rows and of every label's positives.
/// Requires: every ratio > 0; they are normalised to sum to one.
std::vector<Index> iterative_stratification(const BinaryMatrix& labels,
                                            std::span<const double> ratios, std::uint64_t seed,
                                            Progress* progress = nullptr);

/// How rows are divided, one or more times, into what is trained on and what is tested on.
struct SplitPlan {
  Index repeats = 1;   ///< with the seeds seed, seed + 1, ...
  double train = 0.8;  ///< share of the rows that each random split trains on
  Index folds = 0;     ///< instead of random splits: so many folds, in every repeat
  bool stratified = false;
  std::uint64_t seed = 1;
};

/// The splits of a plan, each made when it is asked for: all of them may be more than fits into
/// memory.
class PlannedSplits {
 public:
  /// Throws UsageError for a plan that the rows do not allow. Requires: `labels` outlives this.
  PlannedSplits(const BinaryMatrix& labels, const SplitPlan& plan);

  Index count() const noexcept { return plan_.repeats * per_repeat(); }
  /// Split k, from 0. The folds of a repeat are drawn together, once if asked for in order.
  SplitRows at(Index k, Progress* progress = nullptr);

 private:
  Index per_repeat() const noexcept { return plan_.folds > 0 ? plan_.folds : 1; }

  const BinaryMatrix& labels_;
  SplitPlan plan_;
  std::vector<Index> part_of_row_;  ///< the folds of one repeat
  Index drawn_ = -1;                ///< which repeat that is
};

/// How well a split keeps the labels' shares.
struct SplitQuality {
  /// Mean over labels and parts of |share of the label in the part - share in the whole|, where a
  /// share is positives over rows.
  double label_deviation = 0;
  /// Labels that have positives, but none in train or none in test.
  Index labels_missing_in_train = 0;
  Index labels_missing_in_test = 0;
};
SplitQuality split_quality(const BinaryMatrix& labels, const SplitRows& split);

struct Split {
  Dataset train = {};
  Dataset test = {};
};
Split take(const Dataset& data, const SplitRows& rows);
Split random_split(const Dataset& data, const SplitOptions& options = {});
Split stratified_split(const Dataset& data, const SplitOptions& options = {});

}  // namespace mugrad
