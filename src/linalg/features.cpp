// SPDX-License-Identifier: MIT
#include <mugrad/linalg/features.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace mugrad {
namespace {

template <class Real>
Index stored_in(const DenseView<Real>& x) noexcept {
  return x.rows * x.cols;
}
template <class Real>
Index stored_in(const CsrView<Real>& x) noexcept {
  return x.pattern().stored();
}

/// The stored values of a row.
template <class Real>
std::span<const Real> values_of(const DenseView<Real>& x, Index row) noexcept {
  return x.row(row);
}
template <class Real>
std::span<const Real> values_of(const CsrView<Real>& x, Index row) noexcept {
  return x.row_values(row);
}

template <class Real>
Matrix<Real> selected(const DenseView<Real>& from, std::span<const Index> rows) {
  Matrix<Real> result(std::ssize(rows), from.cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(from.row(rows[i]), result.row(as_index(i)).begin());
  }
  return result;
}

template <class Real>
CsrMatrix<Real> selected(const CsrView<Real>& from, std::span<const Index> rows) {
  CsrMatrix<Real> result;
  result.cols = from.cols;
  for (const Index row : rows) {
    const auto columns = from.row_columns(row);
    const auto values = from.row_values(row);
    result.column.insert(result.column.end(), columns.begin(), columns.end());
    result.value.insert(result.value.end(), values.begin(), values.end());
    result.end_row();
  }
  return result;
}

}  // namespace

Features::Features(DenseView<float> dense, std::shared_ptr<const void> owner)
    : storage_(dense), owner_(std::move(owner)) {}
Features::Features(DenseView<double> dense, std::shared_ptr<const void> owner)
    : storage_(dense), owner_(std::move(owner)) {}
Features::Features(CsrView<float> sparse, std::shared_ptr<const void> owner)
    : storage_(sparse), owner_(std::move(owner)) {}
Features::Features(CsrView<double> sparse, std::shared_ptr<const void> owner)
    : storage_(sparse), owner_(std::move(owner)) {}

Features::Features(Matrix<float> dense) {
  const auto held = std::make_shared<const Matrix<float>>(std::move(dense));
  storage_ = DenseView<float>{held->rows(), held->cols(), held->data()};
  owner_ = held;
}

Features::Features(CsrMatrix<float> sparse) {
  const auto held = std::make_shared<const CsrMatrix<float>>(std::move(sparse));
  storage_ = CsrView<float>{held->rows(), held->cols, held->row_start.data(), held->column.data(),
                            held->value.data()};
  owner_ = held;
}

Index Features::rows() const noexcept {
  return visit([](const auto& x) { return x.rows; });
}

Index Features::cols() const noexcept {
  return visit([](const auto& x) { return x.cols; });
}

bool Features::is_sparse() const noexcept {
  return std::holds_alternative<CsrMatrix<double>>(storage_) ||
         std::holds_alternative<CsrView<float>>(storage_) ||
         std::holds_alternative<CsrView<double>>(storage_);
}

Index Features::nonzeros() const noexcept {
  return visit([](const auto& x) {
    Index count = 0;
    for (Index row = 0; row < x.rows; ++row) {
      count += std::ranges::count_if(values_of(x, row), [](auto value) { return value != 0; });
    }
    return count;
  });
}

Index Features::stored() const noexcept {
  return visit([](const auto& x) { return stored_in(x); });
}

CsrPattern Features::pattern() const {
  assert(is_sparse());
  return visit([](const auto& x) -> CsrPattern {
    if constexpr (requires { x.pattern(); }) {
      return x.pattern();
    } else {
      return {};
    }
  });
}

void Features::widen(Index cols) {
  assert(is_sparse() && cols >= this->cols());
  std::visit(
      [&](auto& x) {
        if constexpr (requires { x.row_start; }) x.cols = cols;
      },
      storage_);
}

bool Features::operator==(const Features& other) const {
  if (rows() != other.rows() || cols() != other.cols() || is_sparse() != other.is_sparse()) {
    return false;
  }
  for (Index row = 0; is_sparse() && row < rows(); ++row) {
    if (!std::ranges::equal(pattern().row_columns(row), other.pattern().row_columns(row))) {
      return false;
    }
  }
  return visit([&](const auto& x) {
    return other.visit([&](const auto& y) {
      for (Index row = 0; row < x.rows; ++row) {
        if (!std::ranges::equal(values_of(x, row), values_of(y, row), [](auto a, auto b) {
              return static_cast<double>(a) == static_cast<double>(b);
            })) {
          return false;
        }
      }
      return true;
    });
  });
}

Features select_rows(const Features& features, std::span<const Index> rows) {
  return features.visit([&](const auto& x) -> Features { return selected(x, rows); });
}

ScaledParts ScaledParts::whole(double length) {
  return {.length = {length}, .runs = {{.end = std::numeric_limits<Index>::max(), .part = 0}}};
}

}  // namespace mugrad
