// SPDX-License-Identifier: MIT
#include "objective/fisher_penalty.h"

#include <algorithm>

namespace mugrad {
namespace {

/// Sums over some examples.
struct Moments {
  double count = 0, sum = 0, squares = 0;

  double mean() const noexcept { return sum / count; }
  double variance() const noexcept { return std::max(0.0, squares / count - mean() * mean()); }
};

/// Sums of each column of the design and of its squares, over all examples and, a column per
/// label, over those with the label.
struct LabelMoments {
  std::vector<double> sum, squares;
  Matrix<double> label_sum, label_squares;

  LabelMoments(const Design<double>& design, const BinaryMatrix& labels)
      : sum(static_cast<std::size_t>(design.cols())),
        squares(sum.size()),
        label_sum(design.cols(), labels.cols),
        label_squares(design.cols(), labels.cols) {
    for (Index row = 0; row < design.rows(); ++row) {
      for_each_entry(design, row, [&](Index k, double value) {
        sum[static_cast<std::size_t>(k)] += value;
        squares[static_cast<std::size_t>(k)] += value * value;
        for (const LabelId label : labels.row(row)) {
          label_sum(k, label) += value;
          label_squares(k, label) += value * value;
        }
      });
    }
  }
};

}  // namespace

Matrix<double> fisher_penalty(const Design<double>& design, const BinaryMatrix& labels) {
  // A shift common to all examples changes no variance and no distance of means.
  const LabelMoments moments(design, labels);
  const auto positives = column_counts(labels);
  const auto rows = static_cast<double>(design.rows());
  Matrix<double> penalty(design.cols(), labels.cols);
  for (Index k = 0; k < design.cols(); ++k) {
    const auto column = static_cast<std::size_t>(k);
    for (Index t = 0; t < labels.cols; ++t) {
      const auto count = static_cast<double>(positives[static_cast<std::size_t>(t)]);
      const Moments with{count, moments.label_sum(k, t), moments.label_squares(k, t)};
      const Moments without{rows - count, moments.sum[column] - with.sum,
                            moments.squares[column] - with.squares};
      const double apart = with.mean() - without.mean();
      penalty(k, t) = count * (with.variance() + without.variance() - apart * apart);
    }
  }
  return penalty;
}

}  // namespace mugrad
