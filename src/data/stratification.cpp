// SPDX-License-Identifier: MIT
#include "core/paced_progress.h"
#include "data/random_order.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/data/splits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

namespace mugrad {
namespace {

constexpr Index kUnassigned = -1;
/// Rows times parts between two progress updates: a few milliseconds.
constexpr Index kBetweenUpdates = 1 << 20;

BinaryMatrix rows_in_order(const BinaryMatrix& matrix, std::span<const Index> order) {
  BinaryMatrix result;
  result.cols = matrix.cols;
  result.column.reserve(matrix.column.size());
  for (const Index row : order) {
    const auto ones = matrix.row(row);
    result.column.insert(result.column.end(), ones.begin(), ones.end());
    result.end_row();
  }
  return result;
}

/// Returns the labels with remaining rows, the one with the fewest first; ties by a random order of
/// the labels.
class RarestFirst {
 public:
  RarestFirst(std::vector<Index> remaining, std::uint64_t seed)
      : remaining_(std::move(remaining)), turn_(remaining_.size()), changed_(remaining_.size(), 0) {
    const auto order = random_order(std::ssize(turn_), seed, "stratification-labels");
    for (std::size_t turn = 0; turn < order.size(); ++turn) {
      turn_[as_size(order[turn])] = as_index(turn);
    }
    for (std::size_t label = 0; label < remaining_.size(); ++label) push(label);
  }

  void one_row_less(LabelId label) {
    const auto i = as_size(label);
    --remaining_[i];
    if (changed_[i] == 0) changed_labels_.push_back(i);
    changed_[i] = 1;
  }

  /// -1 if no label has remaining rows.
  LabelId next() {
    for (const std::size_t label : changed_labels_) {
      changed_[label] = 0;
      push(label);
    }
    changed_labels_.clear();
    while (!queue_.empty()) {
      const auto [count, turn, label] = queue_.top();
      queue_.pop();
      // Outdated entries stay in the queue and are skipped.
      if (count == remaining_[label]) return static_cast<LabelId>(label);
    }
    return -1;
  }

 private:
  using Entry = std::tuple<Index, Index, std::size_t>;  ///< remaining rows, position, label

  void push(std::size_t label) {
    if (remaining_[label] > 0) queue_.emplace(remaining_[label], turn_[label], label);
  }

  std::vector<Index> remaining_;
  std::vector<Index> turn_;
  std::vector<char> changed_;
  std::vector<std::size_t> changed_labels_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

/// The number of rows, and of rows with each label, that every part still needs: c_j and c_j^i of
/// Sechidis, Tsoumakas and Vlahavas. They start as fractions and decrease by whole numbers.
class DesiredCounts {
 public:
  DesiredCounts(const BinaryMatrix& labels, std::span<const double> ratios, std::uint64_t seed)
      : parts_(ratios.size()), ties_(seed, "stratification-ties") {
    const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0);
    const auto add_desired = [&](Index count, std::vector<double>& desired) {
      for (const double ratio : ratios)
        desired.push_back(static_cast<double>(count) * (ratio / sum));
    };
    add_desired(labels.rows(), rows_);
    for (const Index count : column_counts(labels)) add_desired(count, of_label_);
  }

  /// The part that needs the label most; ties go to the one that needs most rows, then at random.
  Index part_for(LabelId label) {
    all_parts();
    keep_best(of_label(label));
    keep_best(rows_);
    return any_candidate();
  }
  Index part_for_row_without_labels() {
    all_parts();
    keep_best(rows_);
    return any_candidate();
  }

  void give(Index part, std::span<const LabelId> labels) {
    const auto j = as_size(part);
    rows_[j] -= 1;
    for (const LabelId label : labels) of_label(label)[j] -= 1;
  }

 private:
  std::span<double> of_label(LabelId label) {
    return std::span(of_label_).subspan(as_size(label) * parts_, parts_);
  }
  void all_parts() {
    candidates_.resize(parts_);
    std::iota(candidates_.begin(), candidates_.end(), std::size_t{0});
  }
  void keep_best(std::span<const double> desired) {
    double most = desired[candidates_.front()];
    for (const std::size_t j : candidates_) most = std::max(most, desired[j]);
    std::erase_if(candidates_, [&](std::size_t j) { return desired[j] != most; });
  }
  Index any_candidate() {
    const auto count = candidates_.size();
    return as_index(candidates_[count == 1 ? 0 : ties_.below(count)]);
  }

  std::size_t parts_;
  std::vector<double> rows_;      ///< c_j
  std::vector<double> of_label_;  ///< c_j^i, the parts of a label side by side
  std::vector<std::size_t> candidates_;
  RandomStream ties_;
};

void check_ratios(std::span<const double> ratios) {
  if (ratios.empty()) throw UsageError("a stratification needs at least 1 ratio, got 0");
  for (const double ratio : ratios) {
    if (!(ratio > 0) || !std::isfinite(ratio)) {
      throw UsageError(fmt::format("a stratification's ratios must be > 0, got {}", ratio));
    }
  }
}

}  // namespace

std::vector<Index> iterative_stratification(const BinaryMatrix& labels,
                                            std::span<const double> ratios, std::uint64_t seed,
                                            Progress* progress) {
  check_ratios(ratios);
  // The rows are shuffled once; below, a row is its position in that order.
  const auto order = random_order(labels.rows(), seed, "stratification-rows");
  const auto shuffled = rows_in_order(labels, order);
  const auto rows_of_label = transposed(shuffled);

  DesiredCounts desired(labels, ratios, seed);
  RarestFirst rarest(column_counts(labels), seed);
  std::vector<Index> part_of_row(order.size(), kUnassigned);
  PacedProgress paced(progress, kBetweenUpdates);
  Index assigned = 0;
  const auto assign = [&](Index position, Index part) {
    paced.add(std::ssize(ratios), share_of(++assigned, labels.rows()));
    const auto row_labels = shuffled.row(position);
    part_of_row[as_size(order[as_size(position)])] = part;
    desired.give(part, row_labels);
    for (const LabelId label : row_labels) rarest.one_row_less(label);
  };
  const auto is_assigned = [&](Index position) {
    const Index row = order[as_size(position)];
    return part_of_row[as_size(row)] != kUnassigned;
  };

  for (LabelId label = rarest.next(); label >= 0; label = rarest.next()) {
    for (const Index position : rows_of_label.row(label)) {
      if (!is_assigned(position)) assign(position, desired.part_for(label));
    }
  }
  for (Index position = 0; position < labels.rows(); ++position) {
    if (!is_assigned(position)) assign(position, desired.part_for_row_without_labels());
  }
  return part_of_row;
}

}  // namespace mugrad
