// SPDX-License-Identifier: MIT
#include "linalg/pass/design.h"

#include "linalg/row_factors.h"
#include "linalg/row_weight.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

double or_default(const std::vector<double>& values, std::size_t k, double fallback) {
  return values.empty() ? fallback : values[k];
}

template <class Real>
Matrix<Real> transformed_with_ones(const Features& x, const FeatureTransform& transform) {
  Matrix<Real> result(x.rows(), x.cols() + 1);
  RowFactors<double> of_row;
  for (Index i = 0; i < x.rows(); ++i) {
    const auto to = result.row(i);
    to[0] = 1;
    for_each_with_factor(transform, x, i, of_row, [&](std::size_t k, double value, double factor) {
      to[k + 1] = static_cast<Real>((value * factor - or_default(transform.shift, k, 0)) *
                                    or_default(transform.factor, k, 1));
    });
  }
  return result;
}

/// Features whose mean is so many deviations from zero that x - m would cancel all digits of a
/// float. They are shifted directly: few of their entries are zero, so little becomes dense.
std::vector<FeatureId> far_from_zero(const FeatureTransform& transform) {
  constexpr double kDeviations = 100;
  std::vector<FeatureId> far;
  for (std::size_t k = 0; k < transform.shift.size(); ++k) {
    if (std::fabs(transform.shift[k]) * or_default(transform.factor, k, 1) > kDeviations) {
      far.push_back(static_cast<FeatureId>(k));
    }
  }
  return far;
}

/// The features times the factor; those in `far` are shifted first, including zeros.
template <class Real>
CsrMatrix<Real> multiplied(const Features& x, const FeatureTransform& transform,
                           const std::vector<FeatureId>& far) {
  CsrMatrix<Real> result;
  result.cols = x.cols();
  result.column.reserve(as_size(x.stored()));
  result.value.reserve(as_size(x.stored()));
  result.row_start.reserve(as_size(x.rows()) + 1);
  RowFactors<double> of_row;
  for (Index i = 0; i < x.rows(); ++i) {
    auto next_far = far.begin();
    const auto put = [&](FeatureId column, double value, double shift) {
      const double factor = or_default(transform.factor, as_size(column), 1);
      result.column.push_back(column);
      result.value.push_back(static_cast<Real>((value - shift) * factor));
    };
    const auto put_zeros_before = [&](FeatureId column) {
      for (; next_far != far.end() && *next_far < column; ++next_far) {
        put(*next_far, 0, transform.shift[as_size(*next_far)]);
      }
    };
    for_each_with_factor(transform, x, i, of_row, [&](std::size_t k, double value, double factor) {
      const auto column = static_cast<FeatureId>(k);
      put_zeros_before(column);
      const bool is_far = next_far != far.end() && *next_far == column;
      put(column, value * factor, is_far ? transform.shift[k] : 0);
      if (is_far) ++next_far;
    });
    put_zeros_before(static_cast<FeatureId>(x.cols()));
    result.end_row();
  }
  return result;
}

}  // namespace

template <class Real>
Design<Real>::Design(const Features& x, const FeatureTransform& transform)
    : rows_(x.rows()), cols_(x.cols() + 1), is_sparse_(x.is_sparse()) {
  if (!is_sparse_) {
    dense_ = transformed_with_ones<Real>(x, transform);
    return;
  }
  const auto far = far_from_zero(transform);
  sparse_ = multiplied<Real>(x, transform, far);
  shift_ = transform.shift;
  for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k] *= or_default(transform.factor, k, 1);
  for (const FeatureId k : far) shift_[as_size(k)] = 0;
}

template <class Real>
double Design<Real>::bytes(const DesignShape& shape) noexcept {
  const auto stored = static_cast<double>(shape.stored);
  if (!shape.is_sparse) return stored * sizeof(Real);
  return stored * (sizeof(FeatureId) + sizeof(Real)) +
         static_cast<double>(shape.rows) * sizeof(Index) +
         static_cast<double>(shape.cols) * sizeof(double);
}

template <class Real>
DesignShape Design<Real>::shape() const noexcept {
  return {.rows = rows_,
          .cols = cols_,
          .stored = is_sparse_ ? sparse_.nonzeros() : rows_ * cols_,
          .is_sparse = is_sparse_};
}

template <class Real>
double Design<Real>::total_weight(std::span<const double> row_weights) const noexcept {
  if (row_weights.empty()) return static_cast<double>(rows_);
  return std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
}

template <class Real>
void Design<Real>::gram_product(std::span<const double> v, std::span<double> out,
                                std::span<const double> row_weights) const {
  assert(std::ssize(v) == cols_ && std::ssize(out) == cols_);
  std::ranges::fill(out, 0.0);
  is_sparse_ ? gram_product_sparse(v, out, row_weights) : gram_product_dense(v, out, row_weights);
  const double total = total_weight(row_weights);
  for (double& entry : out) entry /= total;
}

template <class Real>
void Design<Real>::gram_product_dense(std::span<const double> v, std::span<double> out,
                                      std::span<const double> row_weights) const {
  for (Index i = 0; i < rows_; ++i) {
    const auto row = dense_.row(i);
    double score = 0;
    for (std::size_t k = 0; k < row.size(); ++k) score += static_cast<double>(row[k]) * v[k];
    score *= weight_of(row_weights, i);
    for (std::size_t k = 0; k < row.size(); ++k) out[k] += score * static_cast<double>(row[k]);
  }
}

template <class Real>
void Design<Real>::gram_product_sparse(std::span<const double> v, std::span<double> out,
                                       std::span<const double> row_weights) const {
  double offset = v[0];
  for (std::size_t k = 0; k < shift_.size(); ++k) offset -= shift_[k] * v[k + 1];
  for (Index i = 0; i < rows_; ++i) {
    const auto columns = sparse_.row_columns(i);
    const auto values = sparse_.row_values(i);
    double score = offset;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      score += static_cast<double>(values[k]) * v[as_size(columns[k]) + 1];
    }
    score *= weight_of(row_weights, i);
    out[0] += score;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      out[as_size(columns[k]) + 1] += static_cast<double>(values[k]) * score;
    }
  }
  for (std::size_t k = 0; k < shift_.size(); ++k) out[k + 1] -= shift_[k] * out[0];
}

template <class Real>
std::vector<double> Design<Real>::mean_squares(std::span<const double> row_weights) const {
  std::vector<double> squares(as_size(cols_ - 1), 0);
  // (x - m)^2 = x^2 - 2 m x + m^2; the last term also applies to entries that are not stored.
  const auto add = [&](std::size_t k, Real entry, double weight) {
    const auto x = static_cast<double>(entry);
    squares[k] += weight * x * (x - 2 * or_default(shift_, k, 0));
  };
  for (Index i = 0; i < rows_; ++i) {
    const double weight = weight_of(row_weights, i);
    if (is_sparse_) {
      const auto columns = sparse_.row_columns(i);
      const auto values = sparse_.row_values(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        add(as_size(columns[k]), values[k], weight);
      }
    } else {
      const auto row = dense_.row(i).subspan(1);
      for (std::size_t k = 0; k < row.size(); ++k) add(k, row[k], weight);
    }
  }
  const double total = total_weight(row_weights);
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const double shift = or_default(shift_, k, 0);
    squares[k] = squares[k] / total + shift * shift;
  }
  return squares;
}

template class Design<float>;
template class Design<double>;

}  // namespace mugrad
