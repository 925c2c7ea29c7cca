// SPDX-License-Identifier: MIT
#pragma once

#include "method/mgd_problem.h"

#include <mugrad/method/mgd.h>
#include <mugrad/solver/solve.h>

#include <string>
#include <vector>

namespace mugrad {

/// What solving gave: the weights of the labels that were trained, and how it went.
template <class Real>
struct MgdSolution {
  Matrix<Real> weights;
  SolveReport solve;
  double step = 0;
  double curvature = 0;
  double total_loss = 0;
  std::vector<std::string> warnings;
};

/// Solves from the weights given. The tolerance is relative to `reference_residual`, or, when that
/// is 0, to the residual of those weights.
/// Throws DivergenceError, and InterruptedError when the observer stops the run.
template <class Real>
MgdSolution<Real> solve_mgd(MgdProblem<Real>& problem, const MgdOptions& options,
                            Matrix<Real> start, double reference_residual, Observer* observer);

/// The model of a solution; with none, of a problem without a label to train.
template <class Real>
Model model_of(const Dataset& data, const MgdOptions& options, const MgdProblem<Real>& problem,
               const MgdSolution<Real>* solution);

}  // namespace mugrad
