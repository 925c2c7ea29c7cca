// SPDX-License-Identifier: MIT
#include "method/multitask/relation_step.h"

#include "linalg/dense/eigenvalues.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

/// The c for which sum_k max(least, roots_k / c) = 1; infinite if all roots are zero.
/// Requires: ascending roots.
double normaliser(const std::vector<double>& roots, double least) {
  double sum = std::accumulate(roots.begin(), roots.end(), 0.0);
  double left = 1;
  for (const double root : roots) {
    if (sum <= 0) break;
    const double c = sum / left;
    if (root >= least * c) return c;
    sum -= root;
    left -= least;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

RelationMatrix best_relation(const Matrix<double>& gram, double least) {
  const auto n = static_cast<double>(gram.rows());
  assert(least > 0 && n * least <= 1);
  const auto eigen = symmetric_eigen(gram);
  std::vector<double> roots;
  for (const double value : eigen.values) roots.push_back(std::sqrt(std::max(value, 0.0)));
  const double c = normaliser(roots, least);
  const auto eigenvalue = [&](double value) {
    return std::isfinite(c) ? std::max(least, std::sqrt(std::max(value, 0.0)) / c) : 1 / n;
  };
  return {.matrix = eigen.apply(eigenvalue),
          .inverse = eigen.apply([&](double value) { return 1 / eigenvalue(value); }),
          .inverse_bounds = {.least = 1 / eigenvalue(eigen.values.back()),
                             .most = 1 / eigenvalue(eigen.values.front())}};
}

double penalty_of(const Matrix<double>& gram, const Matrix<double>& precision) {
  return std::inner_product(gram.values().begin(), gram.values().end(), precision.values().begin(),
                            0.0);
}

}  // namespace mugrad
