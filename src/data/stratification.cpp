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
/// Rows times parts between two updates of the progress: some milliseconds.
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

/// Gives out the labels with rows left, the one with the fewest first; among equals the one that
/// comes first in a random order of the labels.
class RarestFirst {
 public:
  RarestFirst(std::vector<Index> remaining, std::uint64_t seed)
      : remaining_(std::move(remaining)), turn_(remaining_.size()), changed_(remaining_.size(), 0) {
    const auto order =
        random_order(static_cast<Index>(turn_.size()), seed, "stratification-labels");
    for (std::size_t turn = 0; turn < order.size(); ++turn) {
      turn_[static_cast<std::size_t>(order[turn])] = static_cast<Index>(turn);
    }
    for (std::size_t label = 0; label < remaining_.size(); ++label) push(label);
  }

  void one_row_less(LabelId label) {
    const auto i = static_cast<std::size_t>(label);
    --remaining_[i];
    if (changed_[i] == 0) changed_labels_.push_back(i);
    changed_[i] = 1;
  }

  /// -1 when no label has rows left.
  LabelId next() {
    for (const std::size_t label : changed_labels_) {
      changed_[label] = 0;
      push(label);
    }
    changed_labels_.clear();
    while (!queue_.empty()) {
      const auto [count, turn, label] = queue_.top();
      queue_.pop();
      // Entries from before the label's count changed stay in the queue; they are passed over.
      if (count == remaining_[label]) return static_cast<LabelId>(label);
    }
    return -1;
  }

 private:
  using Entry = std::tuple<Index, Index, std::size_t>;  ///< rows left, turn, label

  void push(std::size_t label) {
    if (remaining_[label] > 0) queue_.emplace(remaining_[label], turn_[label], label);
  }

  std::vector<Index> remaining_;
  std::vector<Index> turn_;
  std::vector<char> changed_;
  std::vector<std::size_t> changed_labels_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

/// How many more rows, and rows of each label, every part still wants: c_j and c_j^i of Sechidis,
/// Tsoumakas and Vlahavas. They start as fractions and fall by whole numbers.
class Wants {
 public:
  Wants(const BinaryMatrix& labels, std::span<const double> ratios, std::uint64_t seed)
      : parts_(ratios.size()), ties_(seed, "stratification-ties") {
    const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0);
    const auto wish = [&](Index count, std::vector<double>& wanted) {
      for (const double ratio : ratios)
        wanted.push_back(static_cast<double>(count) * (ratio / sum));
    };
    wish(labels.rows(), rows_);
    for (const Index count : column_counts(labels)) wish(count, of_label_);
  }

  /// The part that wants the label most; among equals the one that wants rows most; then any.
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
    const auto j = static_cast<std::size_t>(part);
    rows_[j] -= 1;
    for (const LabelId label : labels) of_label(label)[j] -= 1;
  }

 private:
  std::span<double> of_label(LabelId label) {
    return std::span(of_label_).subspan(static_cast<std::size_t>(label) * parts_, parts_);
  }
  void all_parts() {
    candidates_.resize(parts_);
    std::iota(candidates_.begin(), candidates_.end(), std::size_t{0});
  }
  void keep_best(std::span<const double> wanted) {
    double most = wanted[candidates_.front()];
    for (const std::size_t j : candidates_) most = std::max(most, wanted[j]);
    std::erase_if(candidates_, [&](std::size_t j) { return wanted[j] != most; });
  }
  Index any_candidate() {
    const auto count = candidates_.size();
    return static_cast<Index>(candidates_[count == 1 ? 0 : ties_.below(count)]);
  }

  std::size_t parts_;
  std::vector<double> rows_;      ///< c_j
  std::vector<double> of_label_;  ///< c_j^i, a label's parts side by side
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
  // The rows are shuffled once; from here on a row is its position in that order.
  const auto order = random_order(labels.rows(), seed, "stratification-rows");
  const auto shuffled = rows_in_order(labels, order);
  const auto rows_of_label = transposed(shuffled);

  Wants wants(labels, ratios, seed);
  RarestFirst rarest(column_counts(labels), seed);
  std::vector<Index> part_of_row(order.size(), kUnassigned);
  PacedProgress paced(progress, kBetweenUpdates);
  Index assigned = 0;
  const auto assign = [&](Index position, Index part) {
    paced.add(std::ssize(ratios), share_of(++assigned, labels.rows()));
    const auto row_labels = shuffled.row(position);
    part_of_row[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])] = part;
    wants.give(part, row_labels);
    for (const LabelId label : row_labels) rarest.one_row_less(label);
  };
  const auto is_assigned = [&](Index position) {
    const Index row = order[static_cast<std::size_t>(position)];
    return part_of_row[static_cast<std::size_t>(row)] != kUnassigned;
  };

  for (LabelId label = rarest.next(); label >= 0; label = rarest.next()) {
    for (const Index position : rows_of_label.row(label)) {
      if (!is_assigned(position)) assign(position, wants.part_for(label));
    }
  }
  for (Index position = 0; position < labels.rows(); ++position) {
    if (!is_assigned(position)) assign(position, wants.part_for_row_without_labels());
  }
  return part_of_row;
}

}  // namespace mugrad
