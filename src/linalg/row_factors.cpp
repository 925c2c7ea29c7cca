// SPDX-License-Identifier: MIT
#include "linalg/row_factors.h"

#include <cmath>
#include <type_traits>

namespace mugrad {
namespace {

/// Replaces totals[part] by fn(totals[part], an entry times the factor of its feature, part) for
/// each entry of a row within parts.
template <class Real, class Function>
void accumulate(const FeatureTransform& transform, const Features& x, Index row,
                std::vector<Real>& totals, const Function& fn) {
  const double* const factors = transform.factor.empty() ? nullptr : transform.factor.data();
  x.visit([&](const auto& view) {
    for_each_piece(transform.parts, view, row,
                   [&](Index part, const auto& column, const auto& values) {
                     if (part == ScaledParts::kNone) return;
                     const auto at = as_size(part);
                     Real total = totals[at];
                     for (std::size_t k = 0; k < values.size(); ++k) {
                       const double factor = factors == nullptr ? 1 : factors[column(k)];
                       const auto value = static_cast<double>(values[k]);
                       total = fn(total, static_cast<Real>(value) * factor, at);
                     }
                     totals[at] = total;
                   });
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
    accumulate(transform, x, row, largest_, [](Real largest, Real value, std::size_t) {
      return std::fmax(largest, std::fabs(value));
    });
  }
  accumulate(transform, x, row, squares_, [&](Real squares, Real value, std::size_t part) {
    const Real scaled = kIsDivided ? value / largest_[part] : value;
    return squares + scaled * scaled;
  });
  for (std::size_t part = 0; part < factors_.size(); ++part) {
    const Real wanted = transform.parts.length[part];
    const Real length = largest_[part] * std::sqrt(squares_[part]);
    if (largest_[part] == 0 || squares_[part] == 0) {
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
