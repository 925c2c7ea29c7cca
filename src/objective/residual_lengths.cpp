// SPDX-License-Identifier: MIT
#include "objective/residual_lengths.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// Rows that are one piece of work.
constexpr Index kRows = 64;

/// What every row's scores start from, to make up for the shift of a sparse design: -shift' W.
std::vector<double> offsets(const Design<double>& design, const Matrix<double>& weights) {
  std::vector<double> offset(static_cast<std::size_t>(weights.cols()));
  for (std::size_t k = 0; k < design.shift().size(); ++k) {
    const double shift = design.shift()[k];
    const auto row = weights.row(static_cast<Index>(k) + 1);
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
  std::vector<double> lengths(static_cast<std::size_t>(design.rows()));
  pool.run((design.rows() + kRows - 1) / kRows, [&](Index item) {
    const Index begin = item * kRows;
    const Index end = std::min(begin + kRows, design.rows());
    Matrix<double> residuals = scores(design, weights, offset, begin, end);
    for (Index row = begin; row < end; ++row) {
      const auto residual = residuals.row(row - begin);
      for (const LabelId label : labels.row(row)) residual[static_cast<std::size_t>(label)] -= 1;
      double squares = 0;
      for (const double entry : residual) squares += entry * entry;
      lengths[static_cast<std::size_t>(row)] = std::sqrt(squares);
    }
  });
  return lengths;
}

}  // namespace mugrad
