// SPDX-License-Identifier: MIT
#include "method/common/outcome.h"

#include "core/stages.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mugrad {
namespace {

constexpr std::array kFromBestToWorst = {Stop::converged, Stop::stalled, Stop::iteration_limit,
                                         Stop::interrupted, Stop::diverged};

bool ended_at_limit(const Asked& asked, const TrainingReport& report) {
  return asked.tolerance > 0 && report.solve &&
         report.solve->stop == to_string(Stop::iteration_limit);
}

}  // namespace

void throw_unless_usable(const SolveReport& report) {
  if (report.stop == Stop::interrupted) throw_interrupted();
  if (report.stop != Stop::diverged) return;
  throw DivergenceError(
      fmt::format("training diverged: the residual is {:.3g}, from {:.3g} at the start",
                  report.residual, report.first_residual));
}

Stop worse(Stop a, Stop b) noexcept {
  const auto place = [](Stop stop) { return std::ranges::find(kFromBestToWorst, stop); };
  return std::max(place(a), place(b)) == place(a) ? a : b;
}

SolveFacts facts_of(std::string_view solver, const SolveReport& solve, double minimised) {
  return {.solver = std::string(solver),
          .stop = std::string(to_string(solve.stop)),
          .effort = solve.passes,
          .first_residual = solve.first_residual,
          .residual = solve.residual,
          .minimised = minimised};
}

void add_part(const SolveFacts& part, SolveFacts& whole) {
  whole.effort += part.effort;
  whole.first_residual = std::max(whole.first_residual, part.first_residual);
  whole.residual = std::max(whole.residual, part.residual);
  whole.minimised += part.minimised;
}

void warn_of_stall(double tolerance, bool in_single_precision, const SolveReport& solve,
                   std::vector<std::string>& warnings) {
  if (solve.stop != Stop::stalled || tolerance == 0) return;
  warnings.push_back(fmt::format(
      "the residual fell to {:.2g} of its first value and no further; {:.2g} was requested{}",
      solve.residual / solve.first_residual, tolerance,
      in_single_precision ? "; double precision is more accurate" : ""));
}

void warn_of_limit(const Asked& asked, TrainingReport& report) {
  if (!ended_at_limit(asked, report)) return;
  report.warnings.push_back(fmt::format(
      "not converged: after {} iterations the residual is {:.2g} of its first value, {:.2g} was "
      "requested; more iterations help",
      asked.max_iterations, report.solve->residual / report.solve->first_residual,
      asked.tolerance));
}

void warn_of_objective_limit(const Asked& asked, TrainingReport& report) {
  if (!ended_at_limit(asked, report)) return;
  report.warnings.push_back(
      fmt::format("not converged: after {} iterations the objective still decreases by more than "
                  "{:.2g} of itself; "
                  "more iterations help",
                  asked.max_iterations, asked.tolerance));
}

}  // namespace mugrad
