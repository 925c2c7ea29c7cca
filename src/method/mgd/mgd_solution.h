// SPDX-License-Identifier: MIT
#pragma once

#include "method/mgd/mgd_problem.h"

#include <mugrad/method/mgd.h>
#include <mugrad/solver/solve.h>

#include <optional>
#include <string>
#include <vector>

namespace mugrad {

/// How solving went.
struct MgdOutcome {
  SolveReport solve;
  std::optional<FixedStep> fixed_step;  ///< of the plain solver
  double total_loss = 0;
  std::vector<std::string> warnings;
};

/// And what it gave: the weights of the labels that were trained.
template <class Real>
struct MgdSolution : MgdOutcome {
  Matrix<Real> weights;
};

/// Throws DivergenceError or InterruptedError where that is how solving ended.
void throw_unless_done(const MgdOutcome& solution, const MgdOptions& options);

/// A model but for its weights and intercepts. `data` need have names and widths alone, trained on
/// were `rows` examples; without `relations`, which are among the trainable labels, nothing was
/// borrowed; without an outcome there was no label to train.
ModelContents described(const Dataset& data, Index rows, const MgdOptions& options,
                        const TrainableLabels& trainable, const Scaling& scaling,
                        const CsrMatrix<double>* relations, const MgdOutcome* outcome);

/// Solves from the weights given. The tolerance is relative to `reference_residual`, or, when that
/// is 0, to the residual of those weights.
/// Throws DivergenceError, and InterruptedError when `progress` stops the run.
template <class Real>
MgdSolution<Real> solve_mgd(MgdProblem<Real>& problem, const MgdOptions& options,
                            Matrix<Real> start, double reference_residual, Progress* progress);

/// The model of a solution; with none, of a problem without a label to train.
template <class Real>
Model model_of(const Dataset& data, const MgdOptions& options, const MgdProblem<Real>& problem,
               const MgdSolution<Real>* solution);

}  // namespace mugrad
