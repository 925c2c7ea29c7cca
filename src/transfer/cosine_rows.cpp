// SPDX-License-Identifier: MIT
#include "transfer/cosine_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {

CosineRows::CosineRows(const BinaryMatrix& labels)
    : labels_(labels), rows_of_(transposed(labels)), common_(as_size(labels.cols), 0) {}

void CosineRows::count(LabelId label) {
  for (const LabelId j : found_) common_[as_size(j)] = 0;
  found_.clear();
  for (const LabelId example : rows_of_.row(label)) {
    for (const LabelId j : labels_.row(example)) {
      if (common_[as_size(j)]++ == 0) found_.push_back(j);
    }
  }
}

Index CosineRows::size_of(LabelId label) {
  count(label);
  return std::max<Index>(1, std::ssize(found_));
}

void CosineRows::read(LabelId label, std::vector<LabelId>& related,
                      std::vector<double>& strengths) {
  count(label);
  std::ranges::sort(found_);
  related = found_;
  strengths.clear();
  if (related.empty()) {  // a label without positives is not transferred
    related.push_back(label);
    strengths.push_back(1);
    return;
  }
  const auto positives = [&](LabelId j) { return static_cast<double>(rows_of_.row(j).size()); };
  for (const LabelId j : related) {
    const auto both = static_cast<double>(common_[as_size(j)]);
    strengths.push_back(j == label ? 1 : both / std::sqrt(positives(label) * positives(j)));
  }
  const double sum = std::accumulate(strengths.begin(), strengths.end(), 0.0);
  for (double& strength : strengths) strength /= sum;
}

}  // namespace mugrad
