// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/representation.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <span>

namespace mugrad {

/// Training examples with Gaussian features.
struct GaussianFit {
  Representation representation;
  Features rows;  ///< as represented, dense
};

/// Training examples to represent; `row_weights` as in fit_representation.
struct GaussianExamples {
  const Features& x;
  std::span<const double> row_weights = {};
  const Representation& statistics;  ///< of the examples, by fit_representation
};

/// Draws centres among the examples of positive weight and represents all examples, in single
/// precision unless `in_double`. Equal seeds give equal bits, whatever the number of threads.
/// Requires: z-scores of the examples are finite.
GaussianFit fit_gaussian(const GaussianExamples& examples, const GaussianOptions& options,
                         std::uint64_t seed, bool in_double, ThreadPool& pool,
                         Progress* progress = nullptr);

/// Other rows in this representation, as training sees them.
Matrix<double> expanded_rows(const Features& x, const Representation& representation,
                             ThreadPool& pool, Progress* progress = nullptr);

}  // namespace mugrad
