// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// Row numbers of the training and the test part, each ascending.
struct SplitRows {
  std::vector<Index> train = {};
  std::vector<Index> test = {};
};

struct SplitOptions {
  double train = 0.8;  ///< share of the rows for training, in (0, 1)
  std::uint64_t seed = 1;
};

/// The seed of split `number` under a common seed; number 0 has that seed itself. Other numbers
/// share no split with those of another seed.
std::uint64_t split_seed(std::uint64_t seed, std::uint64_t number);

/// A uniformly random split. The training part has round(train * rows) rows; neither part is empty.
SplitRows random_split_rows(Index rows, const SplitOptions& options = {});
/// A split with similar shares of every label in both parts (iterative stratification). Neither
/// part is empty. Updates `progress` every few rows, as all stratifying functions do.
SplitRows stratified_split_rows(const BinaryMatrix& labels, const SplitOptions& options = {},
                                Progress* progress = nullptr);

/// The part of each row, from 0 to folds - 1, in a random order; part sizes differ by at most one.
std::vector<Index> k_fold_parts(Index rows, Index folds, std::uint64_t seed = 1);
/// The same by iterative stratification; no part is empty.
std::vector<Index> stratified_k_fold_parts(const BinaryMatrix& labels, Index folds,
                                           std::uint64_t seed = 1, Progress* progress = nullptr);
/// The split that tests on the rows of one part and trains on all others.
SplitRows fold_of(std::span<const Index> part_of_row, Index part);

/// All folds of k_fold_parts: fold f tests on part f.
std::vector<SplitRows> k_fold_rows(Index rows, Index folds, std::uint64_t seed = 1);
/// All folds of stratified_k_fold_parts.
std::vector<SplitRows> stratified_k_fold_rows(const BinaryMatrix& labels, Index folds,
                                              std::uint64_t seed = 1, Progress* progress = nullptr);

/// Iterative stratification (Sechidis, Tsoumakas and Vlahavas 2011): returns the part of each row,
/// from 0 to ratios.size() - 1. Part j gets about ratios[j] of the rows and of every label's
/// positives.
/// Requires: every ratio > 0; they are normalised to sum to one.
std::vector<Index> iterative_stratification(const BinaryMatrix& labels,
                                            std::span<const double> ratios, std::uint64_t seed,
                                            Progress* progress = nullptr);

/// How rows are divided, once or repeatedly, into training and test parts.
struct SplitPlan {
  Index repeats = 1;   ///< with the seeds seed, seed + 1, ...
  double train = 0.8;  ///< share of the rows in the training part of each random split
  Index folds = 0;     ///< number of folds in every repeat; 0: random splits instead
  bool stratified = false;
  std::uint64_t seed = 1;
};

/// The splits of a plan. Each is created on request, because all of them may not fit into memory.
class PlannedSplits {
 public:
  /// Throws UsageError for a plan that is invalid or does not fit the rows. Requires: `labels`
  /// outlives this.
  PlannedSplits(const BinaryMatrix& labels, const SplitPlan& plan);

  Index count() const noexcept { return plan_.repeats * per_repeat(); }
  /// Split k, from 0. The folds of a repeat are drawn together, once if requested in order.
  SplitRows at(Index k, Progress* progress = nullptr);

 private:
  Index per_repeat() const noexcept { return plan_.folds > 0 ? plan_.folds : 1; }

  const BinaryMatrix& labels_;
  SplitPlan plan_;
  std::vector<Index> part_of_row_;  ///< the folds of one repeat
  Index drawn_ = -1;                ///< the repeat of part_of_row_
};

/// How well a split preserves the shares of the labels.
struct SplitQuality {
  /// Mean over labels and parts of |share of the label in the part - share in the whole data|,
  /// where a share is positives / rows.
  double label_deviation = 0;
  /// Labels with positives, but none in the training or none in the test part.
  Index labels_missing_in_train = 0;
  Index labels_missing_in_test = 0;
};
SplitQuality split_quality(const BinaryMatrix& labels, const SplitRows& split);

struct Split {
  Dataset train = {};
  Dataset test = {};
};
Split take(const Dataset& data, const SplitRows& rows);
/// How many rows of the test part have the features of a row of the training part. Rows whose
/// features are all zero do not count.
Index repeated_rows(const Split& split);
Split random_split(const Dataset& data, const SplitOptions& options = {});
Split stratified_split(const Dataset& data, const SplitOptions& options = {});

}  // namespace mugrad
