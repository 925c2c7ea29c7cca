// SPDX-License-Identifier: MIT
#include <mugrad/theory/step.h>

namespace mugrad::theory {

double step_limit(double curvature, double sigma) { return 2 / (2 * sigma + curvature); }

double step_limit_intrinsic(double curvature, double sigma, double least_self_weight) {
  return 2 / (2 * sigma * (1 - least_self_weight) + curvature);
}

double step_limit_reversible(double curvature, double sigma, double spread) {
  return 2 / (spread * sigma + curvature);
}

}  // namespace mugrad::theory
