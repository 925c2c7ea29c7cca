// SPDX-License-Identifier: MIT
#include "support/lent_features.h"

namespace mugrad::testing {
namespace {

template <class Real>
Matrix<Real> dense_copy(const Features& x) {
  Matrix<Real> copy(x.rows(), x.cols());
  for (Index row = 0; row < x.rows(); ++row) {
    x.for_each_in_row(
        row, [&](FeatureId column, double value) { copy(row, column) = static_cast<Real>(value); });
  }
  return copy;
}

template <class Real>
void append_rows(const Features& x, CsrMatrix<Real>& to) {
  to.cols = x.cols();
  for (Index row = 0; row < x.rows(); ++row) {
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      to.column.push_back(column);
      to.value.push_back(static_cast<Real>(value));
    });
    to.end_row();
  }
}

}  // namespace

Dataset rounded_to_float(Dataset data) {
  const auto values =
      data.x.is_sparse() ? std::span(data.x.sparse().value) : data.x.dense().values();
  for (double& value : values) value = static_cast<float>(value);
  return data;
}

template <class Real>
Features lent(const Features& x) {
  if (!x.is_sparse()) {
    const auto held = std::make_shared<const Matrix<Real>>(dense_copy<Real>(x));
    return {DenseView<Real>{held->rows(), held->cols(), held->data()}, held};
  }
  CsrMatrix<Real> larger{.cols = x.cols(), .column = {0}, .value = {Real{-7}}};
  larger.end_row();
  append_rows(x, larger);
  const auto held = std::make_shared<const CsrMatrix<Real>>(std::move(larger));
  return {CsrView<Real>{x.rows(), x.cols(), held->row_start.data() + 1, held->column.data(),
                        held->value.data()},
          held};
}

std::vector<Features> every_loan(const Features& x) {
  std::vector<Features> loans = {lent<float>(x), lent<double>(x)};
  if (x.is_sparse()) {
    CsrMatrix<float> copy;
    append_rows(x, copy);
    loans.emplace_back(std::move(copy));
  } else {
    loans.emplace_back(dense_copy<float>(x));
  }
  return loans;
}

template Features lent<float>(const Features&);
template Features lent<double>(const Features&);

}  // namespace mugrad::testing
