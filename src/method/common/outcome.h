// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>
#include <mugrad/solver/solve.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Of the ends of two parts of a training, the one that the whole has. From best to worst:
/// converged, stalled, iteration_limit, interrupted, diverged.
Stop worse(Stop a, Stop b) noexcept;

/// Throws InterruptedError or DivergenceError when a run ended so.
void throw_unless_usable(const SolveReport& report);

/// What was asked of a run.
struct Asked {
  double tolerance = 0;
  Index max_iterations = 0;
};

/// What a report says of a run by this solver: its passes, and the value that it minimised.
SolveFacts facts_of(std::string_view solver, const SolveReport& solve, double minimised);

/// Adds one of several solves of a training: efforts and values add up, of residuals the largest
/// stays.
void add_part(const SolveFacts& part, SolveFacts& whole);

/// Warns of a run that rounding let gain no more before it came to the tolerance.
void warn_of_stall(double tolerance, bool in_single_precision, const SolveReport& solve,
                   std::vector<std::string>& warnings);

/// Warns of a run that ended at its limit of iterations, with how near it came, by the residuals
/// that the report has already. A tolerance of 0 wants all iterations, so that there is nothing to
/// warn of.
void warn_of_limit(const Asked& asked, TrainingReport& report);
/// The same where the tolerance is a share of the objective.
void warn_of_objective_limit(const Asked& asked, TrainingReport& report);

}  // namespace mugrad
