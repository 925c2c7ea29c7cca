// SPDX-License-Identifier: MIT
#include "linalg/dense/centred_systems.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {
namespace {

/// sums[j] = sum over i of a(i, j) b(i, j).
std::vector<double> column_dots(const Matrix<double>& a, const Matrix<double>& b) {
  std::vector<double> sums(as_size(a.cols()), 0);
  for (Index i = 0; i < a.rows(); ++i) {
    const auto x = a.row(i);
    const auto y = b.row(i);
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += x[j] * y[j];
  }
  return sums;
}

void take_means_off(Matrix<double>& matrix) {
  std::vector<double> means(as_size(matrix.cols()), 0);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const auto row = matrix.row(i);
    for (std::size_t j = 0; j < means.size(); ++j) means[j] += row[j];
  }
  for (double& mean : means) mean /= static_cast<double>(std::max<Index>(1, matrix.rows()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    const auto row = matrix.row(i);
    for (std::size_t j = 0; j < means.size(); ++j) row[j] -= means[j];
  }
}

/// out = K v, divided into parts by the shape alone.
void multiply(const Matrix<double>& kernel, const Matrix<double>& v, Matrix<double>& out,
              ThreadPool& pool) {
  constexpr Index kParts = 16, kLeastRows = 64;
  const Index n = kernel.rows();
  const Index part = std::max(kLeastRows, (n + kParts - 1) / kParts);
  pool.run((n + part - 1) / part, [&](Index item) {
    const Index begin = item * part;
    blas::multiply<double>(std::min(part, n - begin), v.cols(), n, {kernel.data() + begin * n, n},
                           {v.data(), v.cols()}, 0, out.data() + begin * out.cols(), out.cols());
  });
}

/// Conjugate gradients for all active columns.
class ColumnGradients {
 public:
  ColumnGradients(const CentredSystems& systems, Matrix<double>& columns, ThreadPool& pool)
      : systems_(systems),
        found_(columns),
        pool_(pool),
        factor_(systems.factor.begin(), systems.factor.end()),
        shift_(systems.shift.begin(), systems.shift.end()),
        rest_(columns) {
    take_means_off(rest_);
    std::ranges::fill(found_.values(), 0.0);
    search_ = rest_;
    product_ = rest_;
    column_.resize(factor_.size());
    std::iota(column_.begin(), column_.end(), Index{0});
    squares_ = first_squares_ = last_squares_ = column_dots(rest_, rest_);
  }

  bool empty() const noexcept { return column_.empty(); }
  /// The largest ratio of a column's residual to its initial one.
  double largest_share() const noexcept {
    double share = 0;
    for (std::size_t j = 0; j < squares_.size(); ++j) {
      if (squares_[j] > 0) {
        share = std::max(share, squares_[j] / first_squares_[as_size(column_[j])]);
      }
    }
    return std::sqrt(share);
  }
  double first_residual() const noexcept { return longest(first_squares_); }
  double residual() const noexcept { return longest(last_squares_); }

  void iterate() {
    multiply(systems_.kernel, search_, product_, pool_);
    take_means_off(product_);
    for (Index i = 0; i < product_.rows(); ++i) {
      const auto to = product_.row(i);
      const auto p = search_.row(i);
      for (std::size_t j = 0; j < to.size(); ++j) to[j] = factor_[j] * to[j] + shift_[j] * p[j];
    }
    auto steps = column_dots(search_, product_);
    for (std::size_t j = 0; j < steps.size(); ++j) {
      steps[j] = steps[j] > 0 ? squares_[j] / steps[j] : 0;
    }
    advance(steps);
    const auto next = column_dots(rest_, rest_);
    turn(next);
    squares_ = next;
    for (std::size_t j = 0; j < next.size(); ++j) {
      last_squares_[as_size(column_[j])] = next[j];
    }
  }

  /// Removes columns whose residual has fallen to the tolerance.
  void let_go(double tolerance) {
    std::vector<Index> kept;
    for (std::size_t j = 0; j < squares_.size(); ++j) {
      const double first = first_squares_[as_size(column_[j])];
      if (squares_[j] > tolerance * tolerance * first) kept.push_back(as_index(j));
    }
    if (kept.size() == squares_.size()) return;
    for (auto* matrix : {&rest_, &search_, &product_}) matrix->keep_columns(kept);
    for (auto* numbers : {&factor_, &shift_, &squares_}) keep(*numbers, kept);
    keep(column_, kept);
  }

 private:
  template <class Number>
  static void keep(std::vector<Number>& numbers, std::span<const Index> kept) {
    for (std::size_t j = 0; j < kept.size(); ++j) {
      numbers[j] = numbers[as_size(kept[j])];
    }
    numbers.resize(kept.size());
  }
  static double longest(std::span<const double> squares) noexcept {
    return squares.empty() ? 0 : std::sqrt(std::ranges::max(squares));
  }

  void advance(std::span<const double> steps) {
    for (Index i = 0; i < rest_.rows(); ++i) {
      const auto p = search_.row(i);
      const auto q = product_.row(i);
      const auto r = rest_.row(i);
      const auto x = found_.row(i);
      for (std::size_t j = 0; j < steps.size(); ++j) {
        x[as_size(column_[j])] += steps[j] * p[j];
        r[j] -= steps[j] * q[j];
      }
    }
  }
  void turn(std::span<const double> next) {
    std::vector<double> share(next.size());
    for (std::size_t j = 0; j < share.size(); ++j) {
      share[j] = squares_[j] > 0 ? next[j] / squares_[j] : 0;
    }
    for (Index i = 0; i < rest_.rows(); ++i) {
      const auto p = search_.row(i);
      const auto r = rest_.row(i);
      for (std::size_t j = 0; j < share.size(); ++j) p[j] = r[j] + share[j] * p[j];
    }
  }

  const CentredSystems& systems_;
  Matrix<double>& found_;  ///< of all columns
  ThreadPool& pool_;
  // Of the active columns.
  std::vector<double> factor_, shift_, squares_;
  std::vector<Index> column_;
  Matrix<double> rest_, search_, product_;
  std::vector<double> first_squares_, last_squares_;  ///< of all columns
};

}  // namespace

SystemsReport solve_centred(const CentredSystems& systems, double tolerance, Index max_iterations,
                            Matrix<double>& columns, ThreadPool& pool,
                            const SystemsProgress& progress) {
  assert(columns.rows() == systems.kernel.rows() && systems.kernel.cols() == columns.rows());
  assert(std::ssize(systems.factor) == columns.cols());
  assert(std::ssize(systems.shift) == columns.cols());
  ColumnGradients gradients(systems, columns, pool);
  SystemsReport report{.first_residual = gradients.first_residual()};
  gradients.let_go(tolerance);
  while (!gradients.empty() && report.iterations < max_iterations) {
    gradients.iterate();
    gradients.let_go(tolerance);
    ++report.iterations;
    progress(gradients.largest_share());
  }
  report.residual = gradients.residual();
  report.converged = gradients.empty();
  return report;
}

}  // namespace mugrad
