// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <cstdint>
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
/// Both parts have at least one row.
SplitRows stratified_split_rows(const BinaryMatrix& labels, const SplitOptions& options = {});

/// k folds of a random order, sizes differing by at most one. Fold f tests on part f.
std::vector<SplitRows> k_fold_rows(Index rows, Index folds, std::uint64_t seed = 1);
/// k folds by iterative stratification, none without rows.
std::vector<SplitRows> stratified_k_fold_rows(const BinaryMatrix& labels, Index folds,
                                              std::uint64_t seed = 1);

/// Sechidis, Tsoumakas and Vlahavas 2011: the part (0 .. ratios.size() - 1) each row goes to, so
/// that part j gets about ratios[j] of the rows and of every label's positives.
/// Requires: every ratio > 0; they are normalised to sum to one.
std::vector<Index> iterative_stratification(const BinaryMatrix& labels,
                                            std::span<const double> ratios, std::uint64_t seed);

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
