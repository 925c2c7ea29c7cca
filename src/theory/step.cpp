// SPDX-License-Identifier: MIT
#include <mugrad/theory/step.h>

#include <algorithm>
#include <cassert>

namespace mugrad::theory {

double step_limit(double curvature, double sigma) { return 2 / (2 * sigma + curvature); }

double step_limit_intrinsic(double curvature, double sigma, const CsrMatrix<double>& mbar) {
  double least_self_weight = 1;
  for (Index i = 0; i < mbar.rows(); ++i) {
    const auto columns = mbar.row_columns(i);
    const auto self = std::ranges::lower_bound(columns, static_cast<LabelId>(i));
    const bool stored = self != columns.end() && *self == i;
    const double weight =
        stored ? mbar.row_values(i)[static_cast<std::size_t>(self - columns.begin())] : 0;
    least_self_weight = std::min(least_self_weight, weight);
  }
  return 2 / (2 * sigma * (1 - least_self_weight) + curvature);
}

double step_limit_reversible(double curvature, double sigma, const TransferMatrix& transfer) {
  assert(std::ssize(transfer.reversing_weights) == transfer.mbar.rows());
  return 2 / (transfer.spread * sigma + curvature);
}

double largest_safe_step(double curvature, double sigma, const TransferMatrix& transfer) {
  const double intrinsic = step_limit_intrinsic(curvature, sigma, transfer.mbar);
  if (transfer.reversing_weights.empty()) return intrinsic;
  return std::max(intrinsic, step_limit_reversible(curvature, sigma, transfer));
}

}  // namespace mugrad::theory
