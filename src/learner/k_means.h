// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/scaled_rows.h"

#include <mugrad/core/progress.h>
#include <mugrad/core/random.h>
#include <mugrad/linalg/matrix.h>

#include <span>

namespace mugrad {

struct KMeansOptions {
  Index clusters = 1;  ///< fewer if there are fewer distinct rows
  Index max_iterations = 100;
};

struct Clusters {
  Matrix<double> centres;  ///< one row each, the means of their rows
  Index iterations = 0;
  bool converged = false;  ///< no row is nearer to another centre
};

/// k-means of the rows in `names`: Lloyd's iteration from a k-means++ start (Arthur and
/// Vassilvitskii 2007). An empty cluster takes the row farthest from its centre. Updates `progress`
/// once per centre of the start and per iteration.
/// Requires: at least one row and one cluster.
Clusters find_clusters(const ScaledRows& rows, std::span<const Index> names,
                       const KMeansOptions& options, RandomStream& random,
                       Progress* progress = nullptr);

/// The same from given centres. Requires: no more centres than rows.
Clusters find_clusters(const ScaledRows& rows, std::span<const Index> names,
                       const Matrix<double>& start, Index max_iterations,
                       Progress* progress = nullptr);

}  // namespace mugrad
