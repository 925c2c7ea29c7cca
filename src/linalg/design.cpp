// SPDX-License-Identifier: MIT
#include "linalg/design.h"

#include <algorithm>
#include <cassert>

namespace mugrad {
namespace {

double or_default(const std::vector<double>& values, std::size_t k, double fallback) {
  return values.empty() ? fallback : values[k];
}

template <class Real>
Matrix<Real> transformed_with_ones(const Features& x, const FeatureTransform& transform) {
  Matrix<Real> result(x.rows(), x.cols() + 1);
  for (Index i = 0; i < x.rows(); ++i) {
    const double row_factor = transform.unit_rows ? unit_row_factor(x, i) : 1;
    const auto from = x.dense().row(i);
    const auto to = result.row(i);
    to[0] = 1;
    for (std::size_t k = 0; k < from.size(); ++k) {
      to[k + 1] = static_cast<Real>((from[k] * row_factor - or_default(transform.shift, k, 0)) *
                                    or_default(transform.factor, k, 1));
    }
  }
  return result;
}

template <class Real>
CsrMatrix<Real> multiplied(const Features& x, const FeatureTransform& transform) {
  const auto& from = x.sparse();
  CsrMatrix<Real> result;
  result.cols = from.cols;
  result.row_start = from.row_start;
  result.column = from.column;
  result.value.reserve(from.value.size());
  for (Index i = 0; i < from.rows(); ++i) {
    const double row_factor = transform.unit_rows ? unit_row_factor(x, i) : 1;
    x.for_each_in_row(i, [&](FeatureId column, double value) {
      const auto k = static_cast<std::size_t>(column);
      result.value.push_back(
          static_cast<Real>(value * row_factor * or_default(transform.factor, k, 1)));
    });
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
  sparse_ = multiplied<Real>(x, transform);
  shift_ = transform.shift;
  for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k] *= or_default(transform.factor, k, 1);
}

template <class Real>
void Design<Real>::gram_product(std::span<const double> v, std::span<double> out) const {
  assert(std::ssize(v) == cols_ && std::ssize(out) == cols_);
  std::ranges::fill(out, 0.0);
  is_sparse_ ? gram_product_sparse(v, out) : gram_product_dense(v, out);
  for (double& entry : out) entry /= static_cast<double>(rows_);
}

template <class Real>
void Design<Real>::gram_product_dense(std::span<const double> v, std::span<double> out) const {
  for (Index i = 0; i < rows_; ++i) {
    const auto row = dense_.row(i);
    double score = 0;
    for (std::size_t k = 0; k < row.size(); ++k) score += static_cast<double>(row[k]) * v[k];
    for (std::size_t k = 0; k < row.size(); ++k) out[k] += score * static_cast<double>(row[k]);
  }
}

template <class Real>
void Design<Real>::gram_product_sparse(std::span<const double> v, std::span<double> out) const {
  double offset = v[0];
  for (std::size_t k = 0; k < shift_.size(); ++k) offset -= shift_[k] * v[k + 1];
  for (Index i = 0; i < rows_; ++i) {
    const auto columns = sparse_.row_columns(i);
    const auto values = sparse_.row_values(i);
    double score = offset;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      score += static_cast<double>(values[k]) * v[static_cast<std::size_t>(columns[k]) + 1];
    }
    out[0] += score;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      out[static_cast<std::size_t>(columns[k]) + 1] += static_cast<double>(values[k]) * score;
    }
  }
  for (std::size_t k = 0; k < shift_.size(); ++k) out[k + 1] -= shift_[k] * out[0];
}

template class Design<float>;
template class Design<double>;

}  // namespace mugrad
