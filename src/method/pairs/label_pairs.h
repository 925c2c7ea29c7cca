// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>

#include <cstdint>
#include <vector>

namespace mugrad {

/// The pairs of labels with at least one distinguishing example, which is known to have exactly one
/// of the two.
class LabelPairs {
 public:
  /// Updates `progress` once per label.
  explicit LabelPairs(const Dataset& data, Progress* progress = nullptr);

  Index count() const noexcept { return std::ssize(first_); }
  /// The labels of each pair, ascending.
  const std::vector<LabelId>& first() const noexcept { return first_; }
  const std::vector<LabelId>& second() const noexcept { return second_; }

  /// The distinguishing examples of a pair.
  struct Examples {
    std::vector<std::int32_t> with_first, with_second;
  };
  void find_examples(Index pair, Examples& examples) const;

 private:
  void find_examples(LabelId a, LabelId b, Examples& examples) const;
  void find_examples_without(LabelId label, LabelId other, std::vector<std::int32_t>& found) const;

  BinaryMatrix examples_;  ///< one row per label: the examples that have it
  BinaryMatrix unknown_;   ///< one row per label: the examples where it is unknown
  std::vector<LabelId> first_, second_;
};

}  // namespace mugrad
