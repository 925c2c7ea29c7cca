// SPDX-License-Identifier: MIT
#include "objective/power_iteration.h"

#include <mugrad/core/random.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {

double largest_eigenvalue_bound(
    Index n, const std::function<void(std::span<const double>, std::span<double>)>& multiply) {
  constexpr int kMostSteps = 200;
  constexpr double kSettled = 1e-5;  // relative change per step
  constexpr double kMargin = 1.02;

  RandomStream random(1, "power-iteration");
  std::vector<double> v(static_cast<std::size_t>(n));
  std::vector<double> product(v.size());
  for (double& entry : v) entry = random.normal();

  double eigenvalue = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    if (length == 0) return 0;
    for (double& entry : v) entry /= length;
    multiply(v, product);
    const double before = eigenvalue;
    eigenvalue = std::inner_product(v.begin(), v.end(), product.begin(), 0.0);
    v.swap(product);
    if (step > 10 && eigenvalue - before <= kSettled * eigenvalue) break;
  }
  return kMargin * eigenvalue;
}

}  // namespace mugrad
