// SPDX-License-Identifier: MIT
#include "transfer/target_similarity.h"

#include "linalg/dense/blas.h"
#include "linalg/row_weight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mugrad {
namespace {

constexpr Index kRows = 1024;  // multiplied at once
constexpr Index kPanel = 64;   // columns per work item

/// Columns with mean 0 and deviation 1, so that no sum of products cancels.
struct Standard {
  std::vector<double> mean, factor;
};

Standard standard_of(const Matrix<double>& columns, std::span<const double> row_weights) {
  const auto count = as_size(columns.cols());
  Standard standard{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  std::vector<double> known(count, 0);
  const auto for_each_known = [&](const auto& fn) {
    for (Index row = 0; row < columns.rows(); ++row) {
      const double weight = weight_of(row_weights, row);
      const auto entries = columns.row(row);
      for (std::size_t t = 0; weight > 0 && t < count; ++t) {
        if (!std::isnan(entries[t])) fn(t, entries[t], weight);
      }
    }
  };
  for_each_known([&](std::size_t t, double entry, double weight) {
    known[t] += weight;
    standard.mean[t] += weight * entry;
  });
  for (std::size_t t = 0; t < count; ++t) standard.mean[t] /= std::max(known[t], 1e-300);
  for_each_known([&](std::size_t t, double entry, double weight) {
    const double distance = entry - standard.mean[t];
    standard.factor[t] += weight * (distance * distance);
  });
  for (std::size_t t = 0; t < count; ++t) {
    const double variance = standard.factor[t] / std::max(known[t], 1e-300);
    // The deviation is only that of rounding the mean.
    const double rounding =
        8 * std::numeric_limits<double>::epsilon() * std::fabs(standard.mean[t]);
    standard.factor[t] = std::sqrt(variance) > rounding ? 1 / std::sqrt(variance) : 0;
  }
  return standard;
}

bool are_all_known(const Matrix<double>& columns) {
  return std::ranges::none_of(columns.values(), [](double y) { return std::isnan(y); });
}

/// Sums over the rows where both of two columns are known, T x T: entry (i, j) is a product of
/// terms of i and of j.
class PairSums {
 public:
  PairSums(const Matrix<double>& columns, std::span<const double> row_weights, ThreadPool& pool)
      : columns_(columns.cols()),
        all_known_(are_all_known(columns)),
        pool_(pool),
        both_(columns_, columns_) {
    if (!all_known_) {
      count_ = both_;
      sum_ = both_;
      squares_ = both_;
    }
    const Standard standard = standard_of(columns, row_weights);
    for (Index begin = 0; begin < columns.rows(); begin += kRows) {
      const Index end = std::min(begin + kRows, columns.rows());
      add(columns, row_weights, standard, begin, end);
    }
  }

  double correlation(Index i, Index j) const {
    if (all_known_) return ratio(both_(i, j), both_(i, i), both_(j, j));
    const double n = count_(i, j);
    if (n <= 0) return 0;
    const double mean_i = sum_(i, j) / n;
    const double mean_j = sum_(j, i) / n;
    return ratio(both_(i, j) / n - mean_i * mean_j, squares_(i, j) / n - mean_i * mean_i,
                 squares_(j, i) / n - mean_j * mean_j);
  }

 private:
  /// A variance this small is rounding, compared with 1 for the whole column.
  static double ratio(double covariance, double first, double second) {
    constexpr double kNothing = 1e-13;
    if (first <= kNothing || second <= kNothing) return 0;
    return covariance / std::sqrt(first * second);
  }

  void add(const Matrix<double>& columns, std::span<const double> row_weights,
           const Standard& standard, Index begin, Index end) {
    const Index rows = end - begin;
    Matrix<double> known(rows, columns_);
    Matrix<double> value(rows, columns_);
    Matrix<double> weighted_known(rows, columns_);
    Matrix<double> weighted(rows, columns_);
    Matrix<double> weighted_square(rows, columns_);
    for (Index row = 0; row < rows; ++row) {
      const double weight = weight_of(row_weights, begin + row);
      for (Index t = 0; t < columns_; ++t) {
        const double entry = columns(begin + row, t);
        if (std::isnan(entry)) continue;
        const auto at = as_size(t);
        const double u = (entry - standard.mean[at]) * standard.factor[at];
        known(row, t) = 1;
        value(row, t) = u;
        weighted_known(row, t) = weight;
        weighted(row, t) = weight * u;
        weighted_square(row, t) = weight * u * u;
      }
    }
    add_product(weighted, value, both_);
    if (all_known_) return;
    add_product(weighted_known, known, count_);
    add_product(weighted, known, sum_);
    add_product(weighted_square, known, squares_);
  }

  /// to += a' b.
  void add_product(const Matrix<double>& a, const Matrix<double>& b, Matrix<double>& to) {
    pool_.run((columns_ + kPanel - 1) / kPanel, [&](Index item) {
      const Index first = item * kPanel;
      blas::multiply<double>(std::min(kPanel, columns_ - first), columns_, a.rows(),
                             {a.data() + first, columns_, true}, {b.data(), columns_}, 1,
                             to.data() + first * columns_, columns_);
    });
  }

  Index columns_;
  bool all_known_;
  ThreadPool& pool_;
  Matrix<double> both_;     ///< of products
  Matrix<double> count_;    ///< of ones
  Matrix<double> sum_;      ///< of i
  Matrix<double> squares_;  ///< of i squared
};

}  // namespace

CsrMatrix<double> positive_correlations(const Matrix<double>& columns,
                                        std::span<const double> row_weights, ThreadPool& pool) {
  const PairSums sums(columns, row_weights, pool);
  CsrMatrix<double> result;
  result.cols = columns.cols();
  for (Index i = 0; i < columns.cols(); ++i) {
    for (Index j = 0; j < columns.cols(); ++j) {
      // Exactly the same for both orders.
      const double value = i == j ? 1 : sums.correlation(std::min(i, j), std::max(i, j));
      if (value <= 0) continue;
      result.column.push_back(static_cast<std::int32_t>(j));
      result.value.push_back(std::min(value, 1.0));
    }
    result.end_row();
  }
  return result;
}

double correlations_memory(const Matrix<double>& columns) {
  const auto count = static_cast<double>(columns.cols());
  const auto rows = static_cast<double>(std::min(columns.rows(), kRows));
  const double sums = are_all_known(columns) ? 1 : 4;
  constexpr double kOfRows = 5;  // factors: values and known flags, weighted or not
  return (sums * count * count + kOfRows * rows * count) * sizeof(double);
}

}  // namespace mugrad
