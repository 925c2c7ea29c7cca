// SPDX-License-Identifier: MIT
#pragma once

#include "method/mgd/mgd_problem.h"

#include <mugrad/method/mgd.h>
#include <mugrad/solver/solve.h>

#include <optional>
#include <string>
#include <vector>

namespace mugrad {

/// The outcome of solving.
struct MgdOutcome {
  SolveReport solve;
  std::optional<FixedStep> fixed_step;  ///< of the plain solver
  double total_loss = 0;
  std::vector<std::string> warnings;
};

/// The outcome and the weights of the trained labels.
template <class Real>
struct MgdSolution : MgdOutcome {
  Matrix<Real> weights;
};

/// Throws DivergenceError or InterruptedError if solving ended that way.
void throw_unless_done(const MgdOutcome& solution, const MgdOptions& options);

/// A model without weights and intercepts. `data` needs only names and widths; `rows` is the number
/// of training examples. `relations`, between the trainable labels, is null without transfer;
/// `outcome` is null if there was no label to train.
ModelContents described(const Dataset& data, Index rows, const MgdOptions& options,
                        const TrainableLabels& trainable, const Representation& representation,
                        const CsrMatrix<double>* relations, const MgdOutcome* outcome);

/// Solves from the given weights. The tolerance is relative to `reference_residual`, or to the
/// residual of these weights if it is 0. Throws DivergenceError, and InterruptedError if `progress`
/// stops the run.
template <class Real>
MgdSolution<Real> solve_mgd(MgdProblem<Real>& problem, const MgdOptions& options,
                            Matrix<Real> start, double reference_residual, Progress* progress);

/// The model of a solution; null for a problem without a label to train.
template <class Real>
Model model_of(const Dataset& data, const MgdOptions& options, const MgdProblem<Real>& problem,
               const MgdSolution<Real>* solution);

}  // namespace mugrad
