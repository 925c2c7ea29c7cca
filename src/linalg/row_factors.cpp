// SPDX-License-Identifier: MIT
#include "linalg/row_factors.h"

#include <cmath>
#include <type_traits>

namespace mugrad {
namespace {

/// Calls fn(part, value times the factor of its feature) for the entries of a row within parts.
template <class Real, class Function>
void for_each_in_parts(const FeatureTransform& transform, const Features& x, Index row,
                       const Function& fn) {
  PartOfColumn part_of(transform.parts);
  x.for_each_in_row(row, [&](FeatureId column, double value) {
    const Index part = part_of(column);
    if (part == ScaledParts::kNone) return;
    const double factor = transform.factor.empty() ? 1 : transform.factor[as_size(column)];
    fn(as_size(part), static_cast<Real>(value) * factor);
  });
}

}  // namespace

template <class Real>
void RowFactors<Real>::measure(const FeatureTransform& transform, const Features& x, Index row) {
  // Doubles are divided by the largest one, so that squares neither overflow nor underflow.
  constexpr bool kIsDivided = std::is_same_v<Real, double>;
  largest_.assign(factors_.size(), kIsDivided ? 0 : 1);
  squares_.assign(factors_.size(), 0);
  if constexpr (kIsDivided) {
    for_each_in_parts<Real>(transform, x, row, [&](std::size_t part, Real value) {
      largest_[part] = std::fmax(largest_[part], std::fabs(value));
    });
  }
  for_each_in_parts<Real>(transform, x, row, [&](std::size_t part, Real value) {
    if (value == 0) return;
    const Real scaled = kIsDivided ? value / largest_[part] : value;
    squares_[part] += scaled * scaled;
  });
  for (std::size_t part = 0; part < factors_.size(); ++part) {
    const Real wanted = transform.parts.length[part];
    const Real length = largest_[part] * std::sqrt(squares_[part]);
    if (squares_[part] == 0) {
      factors_[part] = 1;
    } else {
      factors_[part] = std::isfinite(length) ? wanted / length
                                             : wanted / largest_[part] / std::sqrt(squares_[part]);
    }
  }
}

template class RowFactors<double>;
template class RowFactors<long double>;

}  // namespace mugrad
