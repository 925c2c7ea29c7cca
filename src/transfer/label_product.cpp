// SPDX-License-Identifier: MIT
#include "transfer/label_product.h"

#include "linalg/dense/blas.h"
#include "linalg/pass/kernels.h"
#include "linalg/pass/panels.h"

#include <algorithm>

namespace mugrad {
namespace {

/// A matrix with at least one entry in this many is multiplied faster as a dense one.
constexpr Index kDenseShare = 8;

bool is_dense(Index tasks, Index entries) noexcept {
  return entries >= tasks * tasks / kDenseShare;
}

template <class Real>
Matrix<Real> as_dense(const CsrMatrix<double>& matrix) {
  Matrix<Real> dense(matrix.rows(), matrix.cols);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const auto columns = matrix.row_columns(i);
    const auto values = matrix.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      dense(i, columns[k]) = static_cast<Real>(values[k]);
    }
  }
  return dense;
}

template <class Real>
CsrMatrix<Real> as_sparse(const CsrMatrix<double>& matrix) {
  CsrMatrix<Real> sparse;
  sparse.cols = matrix.cols;
  sparse.row_start = matrix.row_start;
  sparse.column = matrix.column;
  sparse.value.reserve(matrix.value.size());
  for (const double value : matrix.value) sparse.value.push_back(static_cast<Real>(value));
  return sparse;
}

/// Parameters multiplied together: those of all tasks are accessed in any order, so they and the
/// results should stay in the second-level cache.
template <class Real>
Index panel_width(Index tasks) noexcept {
  constexpr Index kLinesInCache = 1 << 12;
  return kLine<Real> * std::clamp<Index>(kLinesInCache / std::max<Index>(1, tasks), 1, 4);
}

/// to(k, i) = from(i, k) for i < rows and k < cols, with these row strides.
template <class Real>
void turn(const Real* from, Index rows, Index cols, Index from_stride, Real* to, Index to_stride) {
  constexpr Index kTile = 16;
  for (Index first = 0; first < rows; first += kTile) {
    const Index end = std::min(first + kTile, rows);
    for (Index k = 0; k < cols; ++k) {
      for (Index i = first; i < end; ++i) to[k * to_stride + i] = from[i * from_stride + k];
    }
  }
}

}  // namespace

template <class Real>
double LabelProduct<Real>::bytes(Index tasks, Index entries) noexcept {
  if (is_dense(tasks, entries)) {
    return static_cast<double>(tasks) * static_cast<double>(tasks) * sizeof(Real);
  }
  return static_cast<double>(entries) * (sizeof(std::int32_t) + sizeof(Real));
}

template <class Real>
LabelProduct<Real>::LabelProduct(const CsrMatrix<double>& matrix) : tasks_(matrix.rows()) {
  if (is_dense(tasks_, matrix.nonzeros())) {
    dense_ = as_dense<Real>(matrix);
  } else {
    sparse_ = as_sparse<Real>(matrix);
  }
}

template <class Real>
Index LabelProduct<Real>::scratch_size() const noexcept {
  return dense_.size() > 0 ? 0 : (2 * tasks_ + 1) * panel_width<Real>(tasks_);
}

template <class Real>
void LabelProduct<Real>::multiply(const Matrix<Real>& weights, Index begin, Index end,
                                  Real* scratch, Matrix<Real>& product) const {
  dense_.size() > 0 ? multiply_dense(weights, begin, end, product)
                    : multiply_sparse(weights, begin, end, scratch, product);
}

template <class Real>
void LabelProduct<Real>::multiply_dense(const Matrix<Real>& weights, Index begin, Index end,
                                        Matrix<Real>& product) const {
  blas::multiply<Real>(end - begin, tasks_, tasks_, {weights.data() + begin * tasks_, tasks_},
                       {dense_.data(), tasks_, true}, 0, product.data() + begin * tasks_, tasks_);
}

/// A few parameters at a time, transposed so that those of one task are contiguous.
template <class Real>
void LabelProduct<Real>::multiply_sparse(const Matrix<Real>& weights, Index begin, Index end,
                                         Real* scratch, Matrix<Real>& product) const {
  const Index width = panel_width<Real>(tasks_);
  Real* const nothing = scratch;
  Real* const turned = nothing + width;
  Real* const result = turned + tasks_ * width;
  std::fill_n(nothing, width, Real{0});
  for (Index first = begin; first < end; first += width) {
    const Index count = std::min(width, end - first);
    turn(weights.data() + first * tasks_, count, tasks_, tasks_, turned, width);
    multiply_rows({tasks_, sparse_.row_start.data(), sparse_.column.data(), sparse_.value.data()},
                  turned, nothing, width, result);
    turn(result, tasks_, count, width, product.data() + first * tasks_, tasks_);
  }
}

template class LabelProduct<float>;
template class LabelProduct<double>;

}  // namespace mugrad
