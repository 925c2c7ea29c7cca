// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {

/// Multiplies the weights of examples by the power of two that brings their mean nearest to one:
/// means over examples do not change by a bit, and sums fit into a float.
/// Requires: finite weights >= 0 with a finite sum > 0, or none.
inline std::vector<double> weights_near_one(std::vector<double> weights) {
  if (weights.empty()) return weights;
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  const int exponent = std::ilogb(mean);
  for (double& weight : weights) weight = std::ldexp(weight, -exponent);
  return weights;
}

}  // namespace mugrad
