// SPDX-License-Identifier: MIT
#include "method/pairs/label_pairs.h"

#include <algorithm>
#include <iterator>

namespace mugrad {

LabelPairs::LabelPairs(const Dataset& data, Progress* progress) : examples_(transposed(data.y)) {
  if (data.unknown.ones() > 0) unknown_ = transposed(data.unknown);
  const auto labels = static_cast<LabelId>(data.labels());
  Examples examples;
  for (LabelId a = 0; a < labels; ++a) {
    advance(progress, static_cast<double>(a) / static_cast<double>(labels));
    for (LabelId b = a + 1; b < labels; ++b) {
      find_examples(a, b, examples);
      if (examples.with_first.empty() && examples.with_second.empty()) continue;
      first_.push_back(a);
      second_.push_back(b);
    }
  }
}

void LabelPairs::find_examples(Index pair, Examples& examples) const {
  const auto at = as_size(pair);
  find_examples(first_[at], second_[at], examples);
}

void LabelPairs::find_examples(LabelId a, LabelId b, Examples& examples) const {
  find_examples_without(a, b, examples.with_first);
  find_examples_without(b, a, examples.with_second);
}

void LabelPairs::find_examples_without(LabelId label, LabelId other,
                                       std::vector<std::int32_t>& found) const {
  found.clear();
  std::ranges::set_difference(examples_.row(label), examples_.row(other),
                              std::back_inserter(found));
  if (unknown_.rows() == 0) return;
  const auto unknown = unknown_.row(other);
  std::erase_if(found, [&](std::int32_t row) { return std::ranges::binary_search(unknown, row); });
}

}  // namespace mugrad
