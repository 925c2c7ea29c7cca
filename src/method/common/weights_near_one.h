// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {

/// Weights of examples times the power of two that brings their mean nearest to one: means over
/// examples stay what they are to the last bit, and their sums are in the range of a float.
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
