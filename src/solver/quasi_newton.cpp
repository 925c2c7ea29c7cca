// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"
#include "solver/equilibrium.h"
#include "solver/equilibrium_solvers.h"
#include "solver/keep_entries.h"
#include "solver/monitor.h"
#include "solver/open_tasks.h"
#include "solver/step_search.h"

#include <mugrad/solver/solvers.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

namespace mugrad {
namespace {

/// L-BFGS for all open tasks at once: each separately, or all together under transfer.
template <class Real>
class QuasiNewton {
 public:
  QuasiNewton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, Grouping grouping,
              Matrix<Real>& weights, Monitor& monitor, ThreadPool& pool,
              const TaskOutcomes& outcomes, QuasiNewtonSpace<Real>& space);

  SolveReport run();

 private:
  bool is_joint() const noexcept { return grouping_ == Grouping::together; }
  std::size_t columns() const noexcept { return curvatures_.size(); }
  void find_largest_curvatures();
  void start();
  std::optional<Stop> reason_to_stop();
  void find_directions();
  void descend_plainly(std::size_t column);
  void share_slope();
  void take_steps();
  void find_infinite_columns();
  void accept();
  void learn_curvatures();
  void let_go();
  void put_back(std::size_t column) noexcept;
  double total_loss() const noexcept;

  TaskSet<Real>& tasks_;
  Matrix<Real>& weights_;  ///< of all tasks; columns are written back when they are done
  Monitor& monitor_;
  TaskOutcomes outcomes_;
  QuasiNewtonSpace<Real>& space_;
  Grouping grouping_;
  double sigma_;
  std::span<const double> task_weights_;  ///< r of equation (12); empty: 1
  const SharedCurvature<Real>* shared_;
  Equilibrium<Real> equilibrium_;
  Preconditioner<Real> preconditioner_;
  OpenTasks open_;
  StepSearch search_;
  std::vector<double> largest_curvatures_;  ///< per task; empty until needed
  std::vector<double> curvatures_, trial_curvatures_;
  std::vector<double> ridges_;  ///< in excess of the shared one; empty if no task has any
  std::vector<double> sums_;    ///< scratch, one per column
  std::vector<Real> steps_;
  std::vector<char> infinite_;  ///< whether the trial overflowed
};

template <class Real>
QuasiNewton<Real>::QuasiNewton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                               Grouping grouping, Matrix<Real>& weights, Monitor& monitor,
                               ThreadPool& pool, const TaskOutcomes& outcomes,
                               QuasiNewtonSpace<Real>& space)
    : tasks_(tasks),
      weights_(weights),
      monitor_(monitor),
      outcomes_(outcomes),
      space_(space),
      grouping_(grouping),
      sigma_(sigma),
      task_weights_(sigma > 0 ? transfer.reversing_weights() : std::span<const double>{}),
      shared_(tasks.shared_curvature()),
      equilibrium_(tasks, transfer, sigma, monitor.wants_loss(), pool),
      preconditioner_(shared_, tasks.parameters(), transfer, sigma, pool),
      open_(tasks.tasks(), is_joint(), kNearRounding<Real>, monitor),
      search_(tasks.tasks()),
      curvatures_(as_size(tasks.tasks())),
      trial_curvatures_(curvatures_.size()),
      sums_(curvatures_.size()),
      steps_(curvatures_.size()),
      infinite_(curvatures_.size()) {
  assert(sigma == 0 || !transfer.reversing_weights().empty());
  if (shared_ != nullptr) {
    ridges_.assign(shared_->ridge_of_task.begin(), shared_->ridge_of_task.end());
  } else {
    find_largest_curvatures();
  }
}

template <class Real>
void QuasiNewton<Real>::find_largest_curvatures() {
  if (!largest_curvatures_.empty()) return;
  for (const auto& range : tasks_.curvatures()) largest_curvatures_.push_back(range.most);
}

template <class Real>
void QuasiNewton<Real>::start() {
  space_.begin(weights_);
  equilibrium_.evaluate({}, space_.current, space_.field, curvatures_);
  if (shared_ == nullptr) curvatures_ = largest_curvatures_;
  const auto values = equilibrium_.values();
  for (std::size_t t = 0; t < columns(); ++t) {
    open_.record(t, std::sqrt(equilibrium_.squared_norms()[t]), values.empty() ? 0 : values[t]);
  }
}

template <class Real>
SolveReport QuasiNewton<Real>::run() {
  start();
  auto stop = reason_to_stop();
  if (!stop) space_.make_room(grouping_, task_weights_);
  while (!stop) {
    let_go();
    find_directions();
    take_steps();
    search_.decide(space_.pairs.change_along_move(), infinite_, open_.done());
    accept();
    stop = reason_to_stop();
  }
  for (std::size_t t = 0; t < columns(); ++t) put_back(t);
  return monitor_.report(*stop, equilibrium_.passes() + tasks_.take_shared_passes());
}

template <class Real>
std::optional<Stop> QuasiNewton<Real>::reason_to_stop() {
  auto stop = monitor_.check(open_.residual(), total_loss());
  open_.mark_done();
  // Within the tolerance, independent tasks continue to the margin.
  const bool has_margin = open_.all_done() || is_joint();
  if (stop == Stop::converged && !has_margin && !monitor_.is_at_limit()) stop.reset();
  if (!stop && open_.all_done()) {
    stop = open_.residual() <= monitor_.target() ? Stop::converged : Stop::stalled;
  }
  return stop;
}

template <class Real>
double QuasiNewton<Real>::total_loss() const noexcept {
  return monitor_.wants_loss() ? open_.total_value() : std::numeric_limits<double>::quiet_NaN();
}

template <class Real>
void QuasiNewton<Real>::find_directions() {
  for (std::size_t t = 0; t < columns(); ++t) {
    if (open_.done()[t]) search_.stand_still(t);
  }
  preconditioner_.set_curvatures(curvatures_, ridges_);
  if (!search_.any_fresh()) return;
  space_.pairs.direction(space_.field, preconditioner_, search_.fresh(), space_.direction, sums_);
  bool any_misled = false;
  for (std::size_t t = 0; t < columns(); ++t) {
    if (!search_.fresh()[t]) continue;
    const bool is_misled = search_.is_misled(t) || !(sums_[t] < 0);
    search_.begin(t, sums_[t]);
    if (is_misled) descend_plainly(t);
    any_misled = any_misled || is_misled;
  }
  if (any_misled && is_joint()) share_slope();
}

/// If the pairs mislead, steps along -F with a length that is certainly safe.
template <class Real>
void QuasiNewton<Real>::descend_plainly(std::size_t column) {
  const auto t = as_index(column);
  space_.pairs.forget(t);
  find_largest_curvatures();
  const double steepest = largest_curvatures_[as_size(open_.task(column))] + 2 * sigma_;
  const auto scale = static_cast<Real>(-1 / std::max(steepest, 1e-6));
  double squared = 0;
  for (Index k = 0; k < space_.field.rows(); ++k) {
    space_.direction(k, t) = scale * space_.field(k, t);
    squared += static_cast<double>(space_.field(k, t)) * static_cast<double>(space_.field(k, t));
  }
  search_.set_slope(column, static_cast<double>(scale) * squared);
}

/// From the slope of each task to that of the joint function.
template <class Real>
void QuasiNewton<Real>::share_slope() {
  double total = 0;
  for (std::size_t t = 0; t < columns(); ++t) {
    total += (task_weights_.empty() ? 1 : task_weights_[t]) * search_.slope(t);
  }
  for (std::size_t t = 0; t < columns(); ++t) search_.set_slope(t, total);
}

template <class Real>
void QuasiNewton<Real>::take_steps() {
  for (std::size_t t = 0; t < columns(); ++t) {
    steps_[t] = open_.done()[t] ? Real{0} : static_cast<Real>(search_.steps()[t]);
  }
  space_.step(steps_);
  equilibrium_.evaluate(open_.which(), space_.trial, space_.trial_field, trial_curvatures_);
  space_.note_change();
  find_infinite_columns();
  space_.pairs.measure();
}

/// A step that overflows only shows that it was too long.
template <class Real>
void QuasiNewton<Real>::find_infinite_columns() {
  std::ranges::fill(infinite_, 0);
  if (std::isfinite(equilibrium_.residual())) return;
  for (std::size_t t = 0; t < columns(); ++t) {
    infinite_[t] = is_joint() || !std::isfinite(equilibrium_.squared_norms()[t]);
    if (infinite_[t]) space_.drop_trial(as_index(t));
  }
}

template <class Real>
void QuasiNewton<Real>::accept() {
  const auto accepted = search_.accepted();
  if (shared_ == nullptr) learn_curvatures();
  space_.pairs.add(search_.trial_slopes(), accepted);
  space_.accept(accepted);
  const auto values = equilibrium_.values();
  for (std::size_t t = 0; t < columns(); ++t) {
    if (!accepted[t]) continue;
    open_.record(t, std::sqrt(equilibrium_.squared_norms()[t]), values.empty() ? 0 : values[t]);
    if (shared_ != nullptr) curvatures_[t] = trial_curvatures_[t];
  }
}

/// Without shared curvature, the last change of the field gives the curvature of a task: y.y / s.y.
template <class Real>
void QuasiNewton<Real>::learn_curvatures() {
  constexpr double kLeast = 1e-6;  // of the largest possible curvature
  if (is_joint()) return;
  const auto& change = space_.pairs.next_change();
  std::ranges::fill(sums_, 0.0);
  add_column_dots<Real>(change, change, 0, change.rows(), sums_);
  for (std::size_t t = 0; t < columns(); ++t) {
    const double along = space_.pairs.change_along_move()[t];
    const double largest = largest_curvatures_[as_size(open_.task(t))];
    if (!(along > 0)) continue;
    curvatures_[t] = std::clamp(sums_[t] / along, kLeast * largest, largest);
  }
}

template <class Real>
void QuasiNewton<Real>::put_back(std::size_t t) noexcept {
  const Index task = open_.task(t);
  for (Index k = 0; k < space_.current.rows(); ++k) {
    weights_(k, task) = space_.current(k, as_index(t));
  }
  const auto place = as_size(task);
  if (!outcomes_.norms.empty()) outcomes_.norms[place] = open_.norm(t);
  if (!outcomes_.values.empty()) outcomes_.values[place] = open_.value(t);
}

template <class Real>
void QuasiNewton<Real>::let_go() {
  const auto kept = open_.worth_keeping();
  if (kept.empty()) return;
  for (std::size_t t = 0; t < columns(); ++t) {
    if (open_.done()[t]) put_back(t);
  }
  space_.keep_columns(kept);
  open_.keep_columns(kept);
  search_.keep_columns(kept);
  for (auto* numbers : {&curvatures_, &trial_curvatures_, &sums_}) keep_entries(*numbers, kept);
  if (!ridges_.empty()) keep_entries(ridges_, kept);
  keep_entries(steps_, kept);
  keep_entries(infinite_, kept);
}

}  // namespace

template <class Real>
SolveReport run_quasi_newton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                             ThreadPool& pool, const TaskOutcomes& outcomes,
                             QuasiNewtonSpace<Real>& space) {
  Monitor monitor(stopping, progress);
  const auto grouping = sigma > 0 ? Grouping::together : Grouping::each;
  return QuasiNewton<Real>(tasks, transfer, sigma, grouping, weights, monitor, pool, outcomes,
                           space)
      .run();
}

/// All columns move together, without transfer.
template <class Real>
SolveReport minimise(TaskSet<Real>& tasks, Matrix<Real>& weights, const Stopping& stopping,
                     Progress* progress, ThreadPool& pool) {
  Monitor monitor(stopping, progress);
  QuasiNewtonSpace<Real> space(pool);
  const auto none = scalar_transfer<Real>(no_transfer(tasks.tasks()).mbar, Intercepts::own, pool);
  return QuasiNewton<Real>(tasks, *none, 0, Grouping::together, weights, monitor, pool, {}, space)
      .run();
}

template decltype(run_quasi_newton<float>) run_quasi_newton<float>;
template decltype(run_quasi_newton<double>) run_quasi_newton<double>;
template decltype(minimise<float>) minimise<float>;
template decltype(minimise<double>) minimise<double>;

}  // namespace mugrad
