// SPDX-License-Identifier: MIT
#include "method/common/outcome.h"

#include "core/stages.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

namespace mugrad {
namespace {

int badness(Stop stop) noexcept {
  switch (stop) {
    case Stop::converged:
      return 0;
    case Stop::stalled:
      return 1;
    case Stop::iteration_limit:
      return 2;
    case Stop::interrupted:
      return 3;
    case Stop::diverged:
      return 4;
  }
  return 4;
}

bool ended_at_limit(const Asked& asked, const TrainingReport& report) {
  return asked.tolerance > 0 && report.stop == to_string(Stop::iteration_limit);
}

}  // namespace

void throw_unless_usable(const SolveReport& report) {
  if (report.stop == Stop::interrupted) throw_interrupted();
  if (report.stop != Stop::diverged) return;
  throw DivergenceError(
      fmt::format("training diverged: the residual is {:.3g}, from {:.3g} at the start",
                  report.residual, report.first_residual));
}

Stop worse(Stop a, Stop b) noexcept { return badness(a) < badness(b) ? b : a; }

void warn_of_stall(double tolerance, bool in_single_precision, const SolveReport& solve,
                   std::vector<std::string>& warnings) {
  if (solve.stop != Stop::stalled || tolerance == 0) return;
  warnings.push_back(fmt::format(
      "the residual fell to {:.2g} of its first value and no further, {:.2g} was asked for{}",
      solve.residual / solve.first_residual, tolerance,
      in_single_precision ? "; double precision goes further" : ""));
}

void warn_of_limit(const Asked& asked, TrainingReport& report) {
  if (!ended_at_limit(asked, report)) return;
  report.warnings.push_back(fmt::format(
      "not converged: after {} iterations the residual is {:.2g} of its first value, {:.2g} was "
      "asked for; more iterations go further",
      asked.max_iterations, report.residual / report.first_residual, asked.tolerance));
}

void warn_of_objective_limit(const Asked& asked, TrainingReport& report) {
  if (!ended_at_limit(asked, report)) return;
  report.warnings.push_back(fmt::format(
      "not converged: after {} iterations the objective still falls by more than {:.2g} of itself; "
      "more iterations go further",
      asked.max_iterations, asked.tolerance));
}

}  // namespace mugrad
