// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/random.h>
#include <mugrad/data/dataset.h>

namespace mugrad::testing {

/// Dense standard normal features and labels that are ones with the probability given.
struct ProblemShape {
  Index rows = 40;
  Index features = 5;
  Index labels = 4;
  double label_probability = 0.4;
  double feature_probability = 1;  ///< an entry is non-zero
};

/// A data set of random entries; every label has both classes when rows >= 2.
Dataset random_problem(const ProblemShape& shape, std::uint64_t seed);

/// The same features stored sparse.
Features as_sparse(const Features& dense);

/// Random weights, (features + 1) x labels.
Matrix<double> random_weights(Index rows, Index cols, std::uint64_t seed, double deviation = 0.5);

}  // namespace mugrad::testing
