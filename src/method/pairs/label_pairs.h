// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>

#include <cstdint>
#include <vector>

namespace mugrad {

/// The pairs of labels that at least one example tells apart: it is known to have one of the two
/// and not to have the other.
class LabelPairs {
 public:
  /// Updates `progress` once per label.
  explicit LabelPairs(const Dataset& data, Progress* progress = nullptr);

  Index count() const noexcept { return std::ssize(first_); }
  /// The labels of each pair, ascending.
  const std::vector<LabelId>& first() const noexcept { return first_; }
  const std::vector<LabelId>& second() const noexcept { return second_; }

  /// The examples that tell a pair apart.
  struct Examples {
    std::vector<std::int32_t> with_first, with_second;
  };
  void find_examples(Index pair, Examples& examples) const;

 private:
  void find_examples(LabelId a, LabelId b, Examples& examples) const;
  void find_examples_without(LabelId label, LabelId other, std::vector<std::int32_t>& found) const;

  BinaryMatrix examples_;  ///< a row per label: the examples that have it
  BinaryMatrix unknown_;   ///< and those of which it is not known
  std::vector<LabelId> first_, second_;
};

}  // namespace mugrad
