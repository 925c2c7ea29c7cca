// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>
#include <mugrad/solver/solve.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// The outcome of a training with these outcomes of its parts. From best to worst: converged,
/// stalled, iteration_limit, interrupted, diverged.
Stop worse(Stop a, Stop b) noexcept;

/// Throws InterruptedError or DivergenceError if the run ended that way.
void throw_unless_usable(const SolveReport& report);

/// The requested accuracy and limit of a run.
struct Asked {
  double tolerance = 0;
  Index max_iterations = 0;
};

/// The facts about a run of this solver: its passes, and the minimised value.
SolveFacts facts_of(std::string_view solver, const SolveReport& solve, double minimised);

/// Adds one of several solves of a training: efforts and values are added, and the largest residual
/// is kept.
void add_part(const SolveFacts& part, SolveFacts& whole);

/// Warns if rounding stopped a run before it reached the tolerance.
void warn_of_stall(double tolerance, bool in_single_precision, const SolveReport& solve,
                   std::vector<std::string>& warnings);

/// Warns if a run ended at its iteration limit, with its distance from the tolerance by the
/// residuals already in the report. No warning for a tolerance of 0, which requests all iterations.
void warn_of_limit(const Asked& asked, TrainingReport& report);
/// The same if the tolerance is a share of the objective.
void warn_of_objective_limit(const Asked& asked, TrainingReport& report);

}  // namespace mugrad
