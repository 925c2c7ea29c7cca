// SPDX-License-Identifier: MIT
#include "linalg/dense/gram.h"

#include "linalg/dense/blas.h"
#include "linalg/row_weight.h"

#include <algorithm>
#include <numeric>

namespace mugrad {
namespace {

/// Rows of the result per work item.
constexpr Index kPanel = 64;

/// Columns [begin, end) of some rows, each multiplied by its weight.
template <class Real>
Matrix<Real> weighted(const Matrix<Real>& a, Index row, Index rows, Index begin, Index end,
                      std::span<const double> weights) {
  Matrix<Real> result(rows, end - begin);
  for (Index i = 0; i < rows; ++i) {
    const auto from = a.row(row + i).subspan(as_size(begin));
    const auto to = result.row(i);
    const auto weight = static_cast<Real>(weight_of(weights, row + i));
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = weight * from[k];
  }
  return result;
}

/// Rows [begin, end) of A'A, from products of a few rows of A at a time, for which the precision of
/// Real suffices; they are added in double.
template <class Real>
void add_dense_panel(const Matrix<Real>& a, Index begin, Index end, std::span<const double> weights,
                     Matrix<double>& gram) {
  constexpr Index kRows = 512;
  const Index cols = a.cols();
  Matrix<Real> product(end - begin, cols);
  Matrix<Real> scaled;
  for (Index row = 0; row < a.rows(); row += kRows) {
    const Real* from = a.data() + row * cols;
    const Index rows = std::min(kRows, a.rows() - row);
    blas::Operand<Real> left{from + begin, cols, true};
    if (!weights.empty()) {
      scaled = weighted(a, row, rows, begin, end, weights);
      left = {scaled.data(), scaled.cols(), true};
    }
    blas::multiply<Real>(end - begin, cols, rows, left, {from, cols}, 0, product.data(), cols);
    for (Index k = begin; k < end; ++k) {
      const auto to = gram.row(k);
      const auto added = product.row(k - begin);
      for (std::size_t j = 0; j < added.size(); ++j) to[j] += static_cast<double>(added[j]);
    }
  }
}

/// Rows [begin, end) of [1 X]'[1 X], before the shift; begin > 0.
template <class Real>
void add_sparse_panel(const CsrMatrix<Real>& x, Index begin, Index end,
                      std::span<const double> weights, Matrix<double>& gram) {
  for (Index row = 0; row < x.rows(); ++row) {
    const auto columns = x.row_columns(row);
    const auto values = x.row_values(row);
    const auto first = std::ranges::lower_bound(columns, static_cast<FeatureId>(begin - 1));
    for (auto k = as_size(first - columns.begin()); k < columns.size() && columns[k] + 1 < end;
         ++k) {
      const auto to = gram.row(columns[k] + 1);
      const auto value = weight_of(weights, row) * static_cast<double>(values[k]);
      to[0] += value;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        to[as_size(columns[j]) + 1] += value * static_cast<double>(values[j]);
      }
    }
  }
}

/// From X'X and the sums s = X'1 in column 0 to those of X - 1 m': X'X - s m' - m s' + n m m',
/// where n is the total weight.
void apply_shift(std::span<const double> shift, double rows, Matrix<double>& gram) {
  for (std::size_t k = 0; k < shift.size(); ++k) {
    const auto to = gram.row(as_index(k) + 1);
    for (std::size_t j = 0; j < shift.size(); ++j) {
      const double other_sum = gram(as_index(j) + 1, 0);
      to[j + 1] += rows * shift[k] * shift[j] - to[0] * shift[j] - shift[k] * other_sum;
    }
  }
  for (std::size_t k = 0; k < shift.size(); ++k) {
    gram(as_index(k) + 1, 0) -= rows * shift[k];
  }
}

}  // namespace

template <class Real>
Matrix<double> gram_matrix(const Design<Real>& design, ThreadPool& pool,
                           std::span<const double> weights) {
  const auto rows = static_cast<double>(design.rows());
  const double total =
      weights.empty() ? rows : std::accumulate(weights.begin(), weights.end(), 0.0);
  Matrix<double> gram(design.cols(), design.cols());
  const Index first = design.is_sparse() ? 1 : 0;  // the ones of a sparse design are not stored
  pool.run((design.cols() - first + kPanel - 1) / kPanel, [&](Index item) {
    const Index begin = first + item * kPanel;
    const Index end = std::min(begin + kPanel, design.cols());
    design.is_sparse() ? add_sparse_panel(design.sparse(), begin, end, weights, gram)
                       : add_dense_panel(design.dense(), begin, end, weights, gram);
  });
  if (design.is_sparse()) {
    apply_shift(design.shift(), total, gram);
    gram(0, 0) = total;
    for (Index k = 1; k < gram.cols(); ++k) gram(0, k) = gram(k, 0);
  }
  for (double& entry : gram.values()) entry /= rows;
  return gram;
}

namespace {

/// From X'Y, with the sums of Y in row 0, to (X - 1 m')'Y, divided by the rows.
template <class Real>
void finish_products(const Design<Real>& design, Matrix<double>& products) {
  const auto shift = design.shift();
  for (std::size_t k = 0; k < shift.size(); ++k) {
    const auto to = products.row(as_index(k) + 1);
    const auto counts = products.row(0);
    for (std::size_t t = 0; t < to.size(); ++t) to[t] -= shift[k] * counts[t];
  }
  for (double& entry : products.values()) entry /= static_cast<double>(design.rows());
}

}  // namespace

template <class Real>
Matrix<double> label_products(const Design<Real>& design, const BinaryMatrix& labels,
                              std::span<const double> weights) {
  Matrix<double> products(design.cols(), labels.cols);
  for (Index row = 0; row < design.rows(); ++row) {
    const auto positives = labels.row(row);
    if (positives.empty()) continue;
    const double weight = weight_of(weights, row);
    for_each_entry(design, row, [&](Index k, Real value) {
      const auto to = products.row(k);
      const double added = weight * static_cast<double>(value);
      for (const LabelId label : positives) to[as_size(label)] += added;
    });
  }
  finish_products(design, products);
  return products;
}

template <class Real>
Matrix<double> target_products(const Design<Real>& design, const Matrix<Real>& targets,
                               std::span<const double> weights) {
  Matrix<double> products(design.cols(), targets.cols());
  for (Index row = 0; row < design.rows(); ++row) {
    const auto y = targets.row(row);
    const double weight = weight_of(weights, row);
    for_each_entry(design, row, [&](Index k, Real value) {
      const auto to = products.row(k);
      const double times = weight * static_cast<double>(value);
      for (std::size_t t = 0; t < y.size(); ++t) to[t] += times * static_cast<double>(y[t]);
    });
  }
  finish_products(design, products);
  return products;
}

template decltype(gram_matrix<float>) gram_matrix<float>;
template decltype(gram_matrix<double>) gram_matrix<double>;
template decltype(target_products<float>) target_products<float>;
template decltype(target_products<double>) target_products<double>;
template decltype(label_products<float>) label_products<float>;
template decltype(label_products<double>) label_products<double>;

}  // namespace mugrad
