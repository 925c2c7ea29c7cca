// SPDX-License-Identifier: MIT
#include "data/random_order.h"
#include "data/row_hash.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/data/splits.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace mugrad {
namespace {

void check_rows(Index rows) {
  if (rows < 2) throw UsageError(fmt::format("a split needs at least 2 rows, got {}", rows));
}

void check_train(double train) {
  if (!(train > 0 && train < 1)) {
    throw UsageError(fmt::format("train must be above 0 and below 1, got {}", train));
  }
}

void check_folds(Index folds, Index rows) {
  if (folds < 2 || folds > rows) {
    throw UsageError(
        fmt::format("folds must be between 2 and the number of rows, {}, got {}", rows, folds));
  }
}

std::vector<SplitRows> folds_of(std::span<const Index> part_of_row, Index folds,
                                Progress* progress = nullptr) {
  std::vector<SplitRows> result;
  for (Index fold = 0; fold < folds; ++fold) {
    advance(progress, 1);
    result.push_back(fold_of(part_of_row, fold));
  }
  return result;
}

/// Stratification can leave a part empty if there are few rows; it then gets a random row of the
/// largest part. Requires: no more parts than rows.
void fill_empty_parts(std::vector<Index>& part_of_row, Index parts, std::uint64_t seed) {
  std::vector<Index> sizes(as_size(parts), 0);
  for (const Index part : part_of_row) ++sizes[as_size(part)];
  RandomStream random(seed, "stratification-fill");
  for (Index part = 0; part < parts; ++part) {
    if (sizes[as_size(part)] > 0) continue;
    const auto largest = std::ranges::max_element(sizes);
    auto to_skip = as_index(random.below(static_cast<std::uint64_t>(*largest)));
    for (Index& of_row : part_of_row) {
      if (of_row != largest - sizes.begin() || to_skip-- > 0) continue;
      of_row = part;
      break;
    }
    --*largest;
    ++sizes[as_size(part)];
  }
}

std::vector<Index> parts_without_gaps(const BinaryMatrix& labels, std::span<const double> ratios,
                                      std::uint64_t seed, Progress* progress) {
  auto part_of_row = iterative_stratification(labels, ratios, seed, progress);
  fill_empty_parts(part_of_row, std::ssize(ratios), seed);
  return part_of_row;
}

/// The number of the given rows with each label.
std::vector<Index> positives(const BinaryMatrix& labels, std::span<const Index> rows) {
  std::vector<Index> counts(as_size(labels.cols), 0);
  for (const Index row : rows) {
    for (const LabelId label : labels.row(row)) ++counts[as_size(label)];
  }
  return counts;
}

double share(Index count, std::size_t rows) {
  return rows == 0 ? 0 : static_cast<double>(count) / static_cast<double>(rows);
}

}  // namespace

std::uint64_t split_seed(std::uint64_t seed, std::uint64_t number) {
  return number == 0 ? seed : RandomStream(seed, "split-number", number).next();
}

SplitRows random_split_rows(Index rows, const SplitOptions& options) {
  check_rows(rows);
  check_train(options.train);
  const auto target = as_index(std::llround(options.train * static_cast<double>(rows)));
  const Index train = std::clamp<Index>(target, 1, rows - 1);
  const auto order = random_order(rows, options.seed, "split");
  SplitRows result{.train = {order.begin(), order.begin() + train},
                   .test = {order.begin() + train, order.end()}};
  std::ranges::sort(result.train);
  std::ranges::sort(result.test);
  return result;
}

SplitRows stratified_split_rows(const BinaryMatrix& labels, const SplitOptions& options,
                                Progress* progress) {
  check_rows(labels.rows());
  check_train(options.train);
  const std::array ratios = {options.train, 1 - options.train};
  return fold_of(parts_without_gaps(labels, ratios, options.seed, progress), 1);
}

SplitRows fold_of(std::span<const Index> part_of_row, Index part) {
  SplitRows result;
  for (std::size_t row = 0; row < part_of_row.size(); ++row) {
    auto& side = part_of_row[row] == part ? result.test : result.train;
    side.push_back(as_index(row));
  }
  return result;
}

std::vector<Index> k_fold_parts(Index rows, Index folds, std::uint64_t seed) {
  check_rows(rows);
  check_folds(folds, rows);
  const auto order = random_order(rows, seed, "folds");
  std::vector<Index> part_of_row(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    part_of_row[as_size(order[i])] = as_index(i) % folds;
  }
  return part_of_row;
}

std::vector<Index> stratified_k_fold_parts(const BinaryMatrix& labels, Index folds,
                                           std::uint64_t seed, Progress* progress) {
  check_rows(labels.rows());
  check_folds(folds, labels.rows());
  const std::vector<double> ratios(as_size(folds), 1.0);
  return parts_without_gaps(labels, ratios, seed, progress);
}

std::vector<SplitRows> k_fold_rows(Index rows, Index folds, std::uint64_t seed) {
  return folds_of(k_fold_parts(rows, folds, seed), folds);
}

std::vector<SplitRows> stratified_k_fold_rows(const BinaryMatrix& labels, Index folds,
                                              std::uint64_t seed, Progress* progress) {
  return folds_of(stratified_k_fold_parts(labels, folds, seed, progress), folds, progress);
}

PlannedSplits::PlannedSplits(const BinaryMatrix& labels, const SplitPlan& plan)
    : labels_(labels), plan_(plan) {
  check_rows(labels.rows());
  if (plan.folds > 0) {
    check_folds(plan.folds, labels.rows());
  } else {
    check_train(plan.train);
  }
  if (plan.repeats < 1 || plan.repeats > std::numeric_limits<Index>::max() / per_repeat()) {
    throw UsageError(fmt::format("splits cannot be repeated {} times", plan.repeats));
  }
}

SplitRows PlannedSplits::at(Index k, Progress* progress) {
  assert(k >= 0 && k < count());
  const Index repeat = k / per_repeat();
  const std::uint64_t seed = plan_.seed + static_cast<std::uint64_t>(repeat);
  if (plan_.folds == 0) {
    const SplitOptions options{.train = plan_.train, .seed = seed};
    return plan_.stratified ? stratified_split_rows(labels_, options, progress)
                            : random_split_rows(labels_.rows(), options);
  }
  if (drawn_ != repeat) {
    part_of_row_ = plan_.stratified ? stratified_k_fold_parts(labels_, plan_.folds, seed, progress)
                                    : k_fold_parts(labels_.rows(), plan_.folds, seed);
    drawn_ = repeat;
  }
  return fold_of(part_of_row_, k % plan_.folds);
}

SplitQuality split_quality(const BinaryMatrix& labels, const SplitRows& split) {
  const auto whole = column_counts(labels);
  const auto train = positives(labels, split.train);
  const auto test = positives(labels, split.test);
  SplitQuality quality;
  for (std::size_t label = 0; label < whole.size(); ++label) {
    const double expected = share(whole[label], as_size(labels.rows()));
    quality.label_deviation += std::abs(share(train[label], split.train.size()) - expected);
    quality.label_deviation += std::abs(share(test[label], split.test.size()) - expected);
    if (whole[label] > 0 && train[label] == 0) ++quality.labels_missing_in_train;
    if (whole[label] > 0 && test[label] == 0) ++quality.labels_missing_in_test;
  }
  if (!whole.empty()) quality.label_deviation /= 2 * static_cast<double>(whole.size());
  return quality;
}

Split take(const Dataset& data, const SplitRows& rows) {
  return {.train = select_rows(data, rows.train), .test = select_rows(data, rows.test)};
}

Split random_split(const Dataset& data, const SplitOptions& options) {
  return take(data, random_split_rows(data.rows(), options));
}

Split stratified_split(const Dataset& data, const SplitOptions& options) {
  return take(data, stratified_split_rows(data.y, options));
}

Index repeated_rows(const Split& split) {
  RowHash hash_of;
  std::unordered_set<Index> trained;
  for (Index row = 0; row < split.train.rows(); ++row) {
    if (const auto hash = hash_of(split.train.x, row)) trained.insert(*hash);
  }
  Index repeated = 0;
  for (Index row = 0; row < split.test.rows(); ++row) {
    const auto hash = hash_of(split.test.x, row);
    if (hash && trained.contains(*hash)) ++repeated;
  }
  return repeated;
}

}  // namespace mugrad
