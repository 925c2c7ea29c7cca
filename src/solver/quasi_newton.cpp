// SPDX-License-Identifier: MIT
#include "solver/quasi_newton.h"

#include "linalg/column_kernels.h"
#include "solver/curvature_pairs.h"
#include "solver/equilibrium.h"
#include "solver/monitor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

namespace mugrad {
namespace {

/// The tasks still being solved, a column each.
template <class Real>
class QuasiNewton {
 public:
  QuasiNewton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, Matrix<Real>& weights,
              Monitor& monitor, std::span<double> norms, ThreadPool& pool);

  SolveReport run();

 private:
  struct Column {
    Index task = 0;
    double bend = 0;
    double ridge = 0;  ///< beyond what all share
    double step = 1;
    double slope = 0;             ///< direction . F
    double norm = 0;              ///< |F_i|
    bool started_within = false;  ///< the tolerance
    double best = 0;              ///< the least norm that counted as a gain
    Index gained = 0;             ///< the iteration of that
    double value = 0;             ///< f_i, when the loss is wanted
    bool misled = false;          ///< the pairs are not to be trusted for the next direction
    bool done = false;
  };

  bool is_joint() const noexcept { return grouping_ == Grouping::together; }
  void find_largest_bends();
  void start();
  void find_directions();
  void descend_plainly(Index column);
  void share_slope();
  void take_steps();
  void judge();
  void accept();
  void drop_infinite_columns();
  void learn_bends();
  bool is_idle(const Column& column) const;
  void mark_done();
  void compact();
  void put_back(Index column) noexcept;
  double residual() const noexcept;
  double total_loss() const noexcept;
  std::span<const Index> which() const noexcept { return which_; }

  TaskSet<Real>& tasks_;
  Matrix<Real>& weights_;  ///< of all tasks; columns are put back when they are done
  Monitor& monitor_;
  std::span<double> norms_;  ///< of all tasks, when they are wanted
  ThreadPool& pool_;
  Grouping grouping_;
  double sigma_;
  std::span<const double> task_weights_;  ///< r of equation (12); empty without transfer
  const SharedCurvature<Real>* shared_;
  Equilibrium<Real> equilibrium_;
  Preconditioner<Real> preconditioner_;
  CurvaturePairs<Real> pairs_;
  std::vector<double> largest_bends_;  ///< per task; empty until needed
  std::vector<Column> columns_;
  std::vector<Index> which_;  ///< the columns' tasks; empty while those are all
  Matrix<Real> current_, field_, direction_, trial_, trial_field_;
  std::vector<double> bends_, slopes_, squares_;
  std::vector<double> ridges_;  ///< empty when no task has more than all share
  std::vector<char> fresh_;     ///< whether a column is to get a new direction
  std::vector<char> accepted_;  ///< whether its last trial was taken
  double worst_left_ = 0;       ///< the largest |F_i| of the tasks that have left
  double loss_left_ = 0;        ///< and their losses
  Index iteration_ = 0;
};

template <class Real>
QuasiNewton<Real>::QuasiNewton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                               Matrix<Real>& weights, Monitor& monitor, std::span<double> norms,
                               ThreadPool& pool)
    : tasks_(tasks),
      weights_(weights),
      monitor_(monitor),
      norms_(norms),
      pool_(pool),
      grouping_(sigma > 0 ? Grouping::together : Grouping::each),
      sigma_(sigma),
      task_weights_(sigma > 0 ? transfer.reversing_weights() : std::span<const double>{}),
      shared_(tasks.shared_curvature()),
      equilibrium_(tasks, transfer, sigma, monitor.wants_loss(), pool),
      preconditioner_(shared_, tasks.parameters(), transfer, sigma, pool),
      pairs_(tasks.parameters(), tasks.tasks(), grouping_, task_weights_, pool),
      columns_(static_cast<std::size_t>(tasks.tasks())),
      current_(weights),
      field_(weights.rows(), weights.cols()),
      direction_(field_),
      trial_(field_),
      trial_field_(field_),
      bends_(columns_.size()),
      slopes_(columns_.size()),
      squares_(columns_.size()),
      fresh_(columns_.size(), 1),
      accepted_(columns_.size(), 1) {
  assert(sigma == 0 || !transfer.reversing_weights().empty());
  if (shared_ != nullptr) {
    ridges_.resize(shared_->ridge_of_task.size());
  } else {
    find_largest_bends();
  }
}

template <class Real>
void QuasiNewton<Real>::find_largest_bends() {
  if (!largest_bends_.empty()) return;
  for (const auto& range : tasks_.curvatures()) largest_bends_.push_back(range.most);
}

template <class Real>
void QuasiNewton<Real>::start() {
  equilibrium_.evaluate({}, current_, field_, bends_);
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    Column& column = columns_[t];
    column.task = static_cast<Index>(t);
    column.bend = shared_ != nullptr ? bends_[t] : largest_bends_[t];
    if (!ridges_.empty()) column.ridge = shared_->ridge_of_task[t];
    column.norm = column.best = std::sqrt(equilibrium_.squared_norms()[t]);
    if (!equilibrium_.values().empty()) column.value = equilibrium_.values()[t];
  }
}

template <class Real>
SolveReport QuasiNewton<Real>::run() {
  start();
  const Index shared_passes = shared_ == nullptr ? 0 : shared_->passes;
  while (true) {
    auto stop = monitor_.check(residual(), total_loss());
    mark_done();
    const bool none_left = std::ranges::all_of(columns_, &Column::done);
    if (stop == Stop::converged && !none_left && !is_joint()) stop.reset();  // the margin
    if (!stop && none_left)
      stop = residual() <= monitor_.target() ? Stop::converged : Stop::stalled;
    if (stop) {
      for (Index t = 0; t < current_.cols(); ++t) put_back(t);
      return monitor_.report(*stop, equilibrium_.passes() + shared_passes);
    }
    compact();
    find_directions();
    take_steps();
    judge();
    accept();
    ++iteration_;
  }
}

template <class Real>
double QuasiNewton<Real>::residual() const noexcept {
  double largest = worst_left_;
  for (const Column& column : columns_) {
    if (!std::isfinite(column.norm)) return column.norm;
    largest = std::max(largest, column.norm);
  }
  return largest;
}

template <class Real>
double QuasiNewton<Real>::total_loss() const noexcept {
  if (!monitor_.wants_loss()) return std::numeric_limits<double>::quiet_NaN();
  double total = loss_left_;
  for (const Column& column : columns_) total += column.value;
  return total;
}

template <class Real>
void QuasiNewton<Real>::find_directions() {
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    bends_[t] = columns_[t].bend;
    if (columns_[t].done) fresh_[t] = 0;
  }
  for (std::size_t t = 0; t < ridges_.size(); ++t) ridges_[t] = columns_[t].ridge;
  preconditioner_.set_bends(bends_, ridges_);
  if (std::ranges::find(fresh_, 1) == fresh_.end()) return;
  pairs_.direction(field_, preconditioner_, fresh_, direction_, slopes_);
  bool any_misled = false;
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    if (!fresh_[t]) continue;
    Column& column = columns_[t];
    column.step = 1;
    column.slope = slopes_[t];
    column.misled = column.misled || !(slopes_[t] < 0);
    if (!column.misled) continue;
    descend_plainly(static_cast<Index>(t));
    column.misled = false;
    any_misled = true;
  }
  if (any_misled && is_joint()) share_slope();
}

/// Where the pairs mislead, the way down is the field itself, by a step sure to be short enough.
template <class Real>
void QuasiNewton<Real>::descend_plainly(Index t) {
  Column& column = columns_[static_cast<std::size_t>(t)];
  pairs_.forget(t);
  find_largest_bends();
  const double steepest = largest_bends_[static_cast<std::size_t>(column.task)] + 2 * sigma_;
  const auto scale = static_cast<Real>(-1 / std::max(steepest, 1e-6));
  double squared = 0;
  for (Index k = 0; k < field_.rows(); ++k) {
    direction_(k, t) = scale * field_(k, t);
    squared += static_cast<double>(field_(k, t)) * static_cast<double>(field_(k, t));
  }
  column.slope = static_cast<double>(scale) * squared;
}

/// From the slope of each task to that of the function that all follow.
template <class Real>
void QuasiNewton<Real>::share_slope() {
  double total = 0;
  for (std::size_t t = 0; t < columns_.size(); ++t) total += task_weights_[t] * columns_[t].slope;
  for (Column& column : columns_) column.slope = total;
}

template <class Real>
void QuasiNewton<Real>::take_steps() {
  auto& move = pairs_.next_move();
  RowParts(current_.rows(), current_.cols()).for_each(pool_, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto s = move.row(k);
      const auto d = direction_.row(k);
      const auto w = current_.row(k);
      const auto to = trial_.row(k);
      for (std::size_t t = 0; t < columns_.size(); ++t) {
        s[t] = columns_[t].done ? Real{0} : static_cast<Real>(columns_[t].step) * d[t];
        to[t] = w[t] + s[t];
      }
    }
  });
  equilibrium_.evaluate(which(), trial_, trial_field_, bends_);
  auto& change = pairs_.next_change();
  RowParts(current_.rows(), current_.cols()).for_each(pool_, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto y = change.row(k);
      const auto after = trial_field_.row(k);
      const auto before = field_.row(k);
      for (std::size_t t = 0; t < columns_.size(); ++t) y[t] = after[t] - before[t];
    }
  });
  drop_infinite_columns();
  pairs_.measure();
}

/// A step into infinity tells nothing but that it was too long.
template <class Real>
void QuasiNewton<Real>::drop_infinite_columns() {
  if (std::isfinite(equilibrium_.residual())) return;
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    if (!is_joint() && std::isfinite(equilibrium_.squared_norms()[t])) continue;
    for (Index k = 0; k < field_.rows(); ++k) {
      pairs_.next_move()(k, static_cast<Index>(t)) = 0;
      pairs_.next_change()(k, static_cast<Index>(t)) = 0;
    }
  }
}

/// A trial is taken unless it went so far that the way leads up again, about as steeply as it led
/// down before. Where it did, the next trial is where the slope should vanish.
template <class Real>
void QuasiNewton<Real>::judge() {
  constexpr double kTooFar = 0.5;
  constexpr double kShortest = 0.1;
  constexpr double kLongest = 0.7;
  // Steps are this short where a task has bent hardly at all so far; shorter still, they mislead.
  constexpr double kHopeless = 1e-9;
  const auto along = pairs_.change_along_move();
  const bool any_infinite = !std::isfinite(equilibrium_.residual());
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    Column& column = columns_[t];
    const bool infinite =
        is_joint() ? any_infinite : !std::isfinite(equilibrium_.squared_norms()[t]);
    const double before = std::fabs(column.slope);
    const double after = column.slope + along[t] / column.step;
    slopes_[t] = column.done ? 0 : column.step * column.slope;
    accepted_[t] = !column.done && !infinite && after <= kTooFar * before;
    fresh_[t] = accepted_[t];
    if (accepted_[t] || column.done) continue;
    column.step *=
        infinite ? kShortest : std::clamp(before / (before + after), kShortest, kLongest);
    if (column.step < kHopeless) {
      column.misled = true;
      fresh_[t] = 1;
    }
  }
}

template <class Real>
void QuasiNewton<Real>::accept() {
  constexpr double kGain = 0.9;  // of the best norm so far
  if (shared_ == nullptr) learn_bends();
  pairs_.add(slopes_, accepted_);
  RowParts(current_.rows(), current_.cols()).for_each(pool_, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto w = current_.row(k);
      const auto f = field_.row(k);
      const auto w_new = trial_.row(k);
      const auto f_new = trial_field_.row(k);
      for (std::size_t t = 0; t < columns_.size(); ++t) {
        w[t] = accepted_[t] ? w_new[t] : w[t];
        f[t] = accepted_[t] ? f_new[t] : f[t];
      }
    }
  });
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    if (!accepted_[t]) continue;
    Column& column = columns_[t];
    column.norm = std::sqrt(equilibrium_.squared_norms()[t]);
    if (shared_ != nullptr) column.bend = bends_[t];
    if (!equilibrium_.values().empty()) column.value = equilibrium_.values()[t];
    if (column.norm > kGain * column.best) continue;
    column.best = column.norm;
    column.gained = iteration_;
  }
}

/// Without shared curvature the last change of the field says how much a task bends: y.y / s.y.
template <class Real>
void QuasiNewton<Real>::learn_bends() {
  constexpr double kLeast = 1e-6;  // of the largest bend there can be
  if (is_joint()) return;
  const auto& change = pairs_.next_change();
  std::ranges::fill(squares_, 0.0);
  add_column_dots<Real>(change, change, 0, change.rows(), squares_);
  for (std::size_t t = 0; t < columns_.size(); ++t) {
    const double along = pairs_.change_along_move()[t];
    const double largest = largest_bends_[static_cast<std::size_t>(columns_[t].task)];
    if (!(along > 0)) continue;
    columns_[t].bend = std::clamp(squares_[t] / along, kLeast * largest, largest);
  }
}

/// Whether there was no gain for so long that there will be none: sooner where rounding is near.
template <class Real>
bool QuasiNewton<Real>::is_idle(const Column& column) const {
  constexpr Index kPatience = 100;
  const bool may_be_rounding = column.best <= kNearRounding<Real> * monitor_.reference();
  return iteration_ - column.gained > (may_be_rounding ? kPatience : 10 * kPatience);
}

/// Done are tasks within the tolerance, and those that rounding keeps from it. With transfer a
/// task is done when all are.
template <class Real>
void QuasiNewton<Real>::mark_done() {
  const double target = monitor_.target();
  const auto idle = [&](const Column& column) { return is_idle(column); };
  if (is_joint()) {
    const bool all_idle = std::ranges::all_of(columns_, idle);
    for (Column& column : columns_) column.done = all_idle;
    return;
  }
  for (Column& column : columns_) {
    if (iteration_ == 0) column.started_within = column.norm <= target;
    const double enough = column.started_within ? target : monitor_.margin() * target;
    column.done = column.norm <= enough || idle(column);
  }
}

template <class Real>
void QuasiNewton<Real>::put_back(Index t) noexcept {
  const Index task = columns_[static_cast<std::size_t>(t)].task;
  for (Index k = 0; k < current_.rows(); ++k) weights_(k, task) = current_(k, t);
  if (!norms_.empty()) {
    norms_[static_cast<std::size_t>(task)] = columns_[static_cast<std::size_t>(t)].norm;
  }
}

/// Lets the columns that are done go, once that makes the passes notably shorter.
template <class Real>
void QuasiNewton<Real>::compact() {
  std::vector<Index> kept;
  const auto done = std::ranges::count_if(columns_, &Column::done);
  if (4 * done < std::ssize(columns_)) return;
  for (Index t = 0; t < current_.cols(); ++t) {
    const Column& column = columns_[static_cast<std::size_t>(t)];
    if (!column.done) {
      kept.push_back(t);
      continue;
    }
    put_back(t);
    worst_left_ = std::max(worst_left_, column.norm);
    loss_left_ += column.value;
  }
  for (auto* matrix : {&current_, &field_, &direction_, &trial_, &trial_field_}) {
    matrix->keep_columns(kept);
  }
  pairs_.keep_columns(kept);
  const auto keep = [&](auto& numbers) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      numbers[i] = numbers[static_cast<std::size_t>(kept[i])];
    }
    numbers.resize(kept.size());
  };
  keep(columns_);
  keep(fresh_);
  keep(accepted_);
  keep(bends_);
  if (!ridges_.empty()) keep(ridges_);
  keep(slopes_);
  keep(squares_);
  which_.clear();
  for (const Column& column : columns_) which_.push_back(column.task);
}

}  // namespace

template <class Real>
SolveReport run_quasi_newton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Observer* observer,
                             ThreadPool& pool, std::span<double> norms) {
  Monitor monitor(stopping, observer);
  return QuasiNewton<Real>(tasks, transfer, sigma, weights, monitor, norms, pool).run();
}

template SolveReport run_quasi_newton(TaskSet<float>&, Transfer<float>&, double, Matrix<float>&,
                                      const Stopping&, Observer*, ThreadPool&, std::span<double>);
template SolveReport run_quasi_newton(TaskSet<double>&, Transfer<double>&, double, Matrix<double>&,
                                      const Stopping&, Observer*, ThreadPool&, std::span<double>);

}  // namespace mugrad
