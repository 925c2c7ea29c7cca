// SPDX-License-Identifier: MIT
#include "objective/jfsc_terms.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// Sums over some examples.
struct Moments {
  double count = 0, sum = 0, squares = 0;

  double mean() const noexcept { return sum / count; }
  double variance() const noexcept { return std::max(0.0, squares / count - mean() * mean()); }
};

/// Sums of each column of the design and of its squares: over all examples and, one column per
/// label, over those with the label.
struct LabelMoments {
  std::vector<double> sum, squares;
  Matrix<double> label_sum, label_squares;

  LabelMoments(const Design<double>& design, const BinaryMatrix& labels)
      : sum(as_size(design.cols())),
        squares(sum.size()),
        label_sum(design.cols(), labels.cols),
        label_squares(design.cols(), labels.cols) {
    for (Index row = 0; row < design.rows(); ++row) {
      for_each_entry(design, row, [&](Index k, double value) {
        sum[as_size(k)] += value;
        squares[as_size(k)] += value * value;
        for (const LabelId label : labels.row(row)) {
          label_sum(k, label) += value;
          label_squares(k, label) += value * value;
        }
      });
    }
  }
};

/// Rows per work item.
constexpr Index kRows = 64;

/// The initial score of every row, which corrects for the shift of a sparse design: -shift' W.
std::vector<double> offsets(const Design<double>& design, const Matrix<double>& weights) {
  std::vector<double> offset(as_size(weights.cols()));
  for (std::size_t k = 0; k < design.shift().size(); ++k) {
    const double shift = design.shift()[k];
    const auto row = weights.row(as_index(k) + 1);
    for (std::size_t t = 0; t < offset.size(); ++t) offset[t] -= shift * row[t];
  }
  return offset;
}

/// Scores of rows [begin, end).
Matrix<double> scores(const Design<double>& design, const Matrix<double>& weights,
                      const std::vector<double>& offset, Index begin, Index end) {
  const Index labels = weights.cols();
  Matrix<double> z(end - begin, labels);
  if (!design.is_sparse()) {
    blas::multiply<double>(end - begin, labels, design.cols(),
                           {design.dense().data() + begin * design.cols(), design.cols()},
                           {weights.data(), labels}, 0, z.data(), labels);
    return z;
  }
  for (Index row = begin; row < end; ++row) {
    const auto to = z.row(row - begin);
    std::ranges::copy(offset, to.begin());
    for_each_entry(design, row, [&](Index k, double value) {
      const auto from = weights.row(k);
      for (std::size_t t = 0; t < to.size(); ++t) to[t] += value * from[t];
    });
  }
  return z;
}

}  // namespace

std::vector<double> residual_lengths(const Design<double>& design, const Matrix<double>& weights,
                                     const BinaryMatrix& labels, ThreadPool& pool) {
  const auto offset = offsets(design, weights);
  std::vector<double> lengths(as_size(design.rows()));
  pool.run((design.rows() + kRows - 1) / kRows, [&](Index item) {
    const Index begin = item * kRows;
    const Index end = std::min(begin + kRows, design.rows());
    Matrix<double> residuals = scores(design, weights, offset, begin, end);
    for (Index row = begin; row < end; ++row) {
      const auto residual = residuals.row(row - begin);
      for (const LabelId label : labels.row(row)) residual[as_size(label)] -= 1;
      double squares = 0;
      for (const double entry : residual) squares += entry * entry;
      lengths[as_size(row)] = std::sqrt(squares);
    }
  });
  return lengths;
}

Matrix<double> fisher_penalty(const Design<double>& design, const BinaryMatrix& labels) {
  // A common shift of all examples changes neither variances nor distances of means.
  const LabelMoments moments(design, labels);
  const auto positives = column_counts(labels);
  const auto rows = static_cast<double>(design.rows());
  Matrix<double> penalty(design.cols(), labels.cols);
  for (Index k = 0; k < design.cols(); ++k) {
    const auto column = as_size(k);
    for (Index t = 0; t < labels.cols; ++t) {
      const auto count = static_cast<double>(positives[as_size(t)]);
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
