// SPDX-License-Identifier: MIT
#include "transfer/column_cosines.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad {
namespace {

constexpr Index kPanel = 64;  // columns per work item

/// The rows from `first_row` on, with columns of length one, or zero.
template <class Real>
Matrix<Real> unit_columns(const Matrix<Real>& columns, Index first_row) {
  Matrix<Real> result(columns.rows() - first_row, columns.cols());
  std::vector<double> lengths(as_size(columns.cols()), 0);
  for (Index k = 0; k < result.rows(); ++k) {
    const auto row = columns.row(first_row + k);
    for (std::size_t t = 0; t < lengths.size(); ++t) {
      lengths[t] += static_cast<double>(row[t]) * static_cast<double>(row[t]);
    }
  }
  for (double& length : lengths) length = std::sqrt(length);
  for (Index k = 0; k < result.rows(); ++k) {
    const auto from = columns.row(first_row + k);
    const auto to = result.row(k);
    for (std::size_t t = 0; t < lengths.size(); ++t) {
      to[t] = lengths[t] > 0 ? static_cast<Real>(static_cast<double>(from[t]) / lengths[t]) : 0;
    }
  }
  return result;
}

/// The `top` largest positive cosines of a column with the others.
template <class Real>
std::vector<SimilarColumn> strongest(std::span<const Real> cosines, Index own, Index top) {
  std::vector<SimilarColumn> found;
  for (std::size_t j = 0; j < cosines.size(); ++j) {
    if (as_index(j) == own || !(cosines[j] > 0)) continue;
    found.push_back({static_cast<LabelId>(j), static_cast<double>(cosines[j])});
  }
  keep_strongest(found, top);
  return found;
}

}  // namespace

void keep_strongest(std::vector<SimilarColumn>& found, Index top) {
  const auto kept = std::min(found.size(), as_size(top));
  std::ranges::partial_sort(
      found, found.begin() + as_index(kept), [](const SimilarColumn& a, const SimilarColumn& b) {
        return a.cosine != b.cosine ? a.cosine > b.cosine : a.column < b.column;
      });
  found.resize(kept);
}

CsrMatrix<double> made_symmetric(const std::vector<std::vector<SimilarColumn>>& similar) {
  std::vector<std::vector<SimilarColumn>> rows = similar;
  for (std::size_t i = 0; i < similar.size(); ++i) {
    for (const auto& [j, cosine] : similar[i]) {
      rows[as_size(j)].push_back({static_cast<LabelId>(i), cosine});
    }
  }
  CsrMatrix<double> result{.cols = std::ssize(rows)};
  for (auto& row : rows) {
    std::ranges::sort(row, [](const SimilarColumn& a, const SimilarColumn& b) {
      return a.column != b.column ? a.column < b.column : a.cosine > b.cosine;
    });
    LabelId last = -1;
    for (const auto& [column, cosine] : row) {
      if (column == last) continue;
      result.column.push_back(last = column);
      result.value.push_back(cosine);
    }
    result.end_row();
  }
  return result;
}

template <class Real>
CsrMatrix<double> strongest_cosines(const Matrix<Real>& columns, Index first_row, Index top,
                                    ThreadPool& pool) {
  const Index count = columns.cols();
  const Matrix<Real> unit = unit_columns(columns, first_row);
  std::vector<std::vector<SimilarColumn>> neighbours(as_size(count));
  pool.run((count + kPanel - 1) / kPanel, [&](Index item) {
    const Index first = item * kPanel;
    const Index size = std::min(kPanel, count - first);
    Matrix<Real> cosines(size, count);
    blas::multiply<Real>(size, count, unit.rows(), {unit.data() + first, count, true},
                         {unit.data(), count}, 0, cosines.data(), count);
    for (Index i = 0; i < size; ++i) {
      neighbours[as_size(first + i)] = strongest<Real>(cosines.row(i), first + i, top);
    }
  });
  return made_symmetric(neighbours);
}

template <class Real>
double cosines_memory(Index rows, Index columns, Index top, int threads) noexcept {
  const auto count = static_cast<double>(columns);
  const auto panels = std::min(static_cast<double>(threads) * kPanel, count);
  const auto kept = static_cast<double>(std::min(top, columns));
  const double unit = static_cast<double>(rows) * count * sizeof(Real);
  const double found = panels / kPanel * count * sizeof(SimilarColumn);
  // Neighbours one way, both ways, and the result.
  return unit +
         std::max(panels * count * sizeof(Real) + found, 5 * kept * count * sizeof(SimilarColumn));
}

template CsrMatrix<double> strongest_cosines<float>(const Matrix<float>&, Index, Index,
                                                    ThreadPool&);
template CsrMatrix<double> strongest_cosines<double>(const Matrix<double>&, Index, Index,
                                                     ThreadPool&);
template double cosines_memory<float>(Index, Index, Index, int) noexcept;
template double cosines_memory<double>(Index, Index, Index, int) noexcept;

}  // namespace mugrad
