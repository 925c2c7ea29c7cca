// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "linalg/dense/centred_systems.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad {

/// The objective of CAMEL over a kernel machine (W, b), one output per label, and the targets Z of
/// its outputs, for labels Y of -1 and +1 and their collaboration G:
///
///     |Phi W + 1 b' - Z|^2 / 2 + lambda1 |Z G - Y|^2 / 2 + lambda2 |W|^2 / 2.
struct CollaborativeProblem {
  const Matrix<double>& kernel;         ///< Phi Phi'
  const BinaryMatrix& labels;           ///< one row per example
  const Matrix<double>& collaboration;  ///< G
  double lambda1, lambda2;              ///< both > 0
};

/// Its minimiser, as the scores (Phi(x) W + b') G = k(x)' coefficients + offset', where k(x) is the
/// kernel between x and the examples.
struct CollaborativeFit {
  Matrix<double> coefficients;  ///< one row per example, one column per label
  std::vector<double> offset;   ///< of each label
  double objective = 0;
  SystemsReport solve;
};

/// With GG' = V diag(g) V', q_j = G'v_j and W = Phi' A / lambda2, the columns of A V are solved one
/// by one:
///
///     (lambda1 g_j P K P + lambda2 (1 + lambda1 g_j) I) a_j = lambda1 lambda2 P Y q_j,
///
/// where P subtracts means. The scores of the examples have the means of the labels. Throws
/// InterruptedError if the progress of the stages asks to stop.
CollaborativeFit solve_collaboratively(const CollaborativeProblem& problem, Stages& stages,
                                       ThreadPool& pool);

}  // namespace mugrad
