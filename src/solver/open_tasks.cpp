// SPDX-License-Identifier: MIT
#include "solver/open_tasks.h"

#include "solver/keep_entries.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {

OpenTasks::OpenTasks(Index tasks, bool together, double near_rounding, const Monitor& monitor)
    : tasks_(tasks),
      together_(together),
      near_rounding_(near_rounding),
      monitor_(monitor),
      task_(as_size(tasks)),
      norm_(task_.size(), 0),
      value_(task_.size(), 0),
      best_(task_.size(), std::numeric_limits<double>::infinity()),
      gained_(task_.size(), 0),
      started_within_(task_.size(), 0),
      done_(task_.size(), 0) {
  std::iota(task_.begin(), task_.end(), Index{0});
}

std::span<const Index> OpenTasks::which() const noexcept {
  return count() == tasks_ ? std::span<const Index>{} : task_;
}

void OpenTasks::record(std::size_t t, double norm, double value) noexcept {
  constexpr double kGain = 0.9;  // of the best norm so far
  norm_[t] = norm;
  value_[t] = value;
  if (norm > kGain * best_[t]) return;
  best_[t] = norm;
  gained_[t] = iteration_;
}

double OpenTasks::residual() const noexcept {
  double largest = worst_left_;
  for (const double norm : norm_) {
    if (!std::isfinite(norm)) return norm;
    largest = std::max(largest, norm);
  }
  return largest;
}

double OpenTasks::total_value() const noexcept {
  return std::accumulate(value_.begin(), value_.end(), value_left_);
}

/// Whether there was no improvement for so long that none is expected; sooner near rounding.
bool OpenTasks::is_idle(std::size_t t) const noexcept {
  constexpr Index kPatience = 100;
  const bool may_be_rounding = best_[t] <= near_rounding_ * monitor_.reference();
  return iteration_ - gained_[t] > (may_be_rounding ? kPatience : 10 * kPatience);
}

void OpenTasks::mark_done() {
  ++iteration_;
  if (together_) {
    bool all_idle = true;
    for (std::size_t t = 0; t < done_.size(); ++t) all_idle &= is_idle(t);
    std::ranges::fill(done_, all_idle ? 1 : 0);
    return;
  }
  const double target = monitor_.target();
  for (std::size_t t = 0; t < done_.size(); ++t) {
    if (iteration_ == 0) started_within_[t] = norm_[t] <= target ? 1 : 0;
    const double enough = started_within_[t] ? target : monitor_.margin() * target;
    done_[t] = norm_[t] <= enough || is_idle(t) ? 1 : 0;
  }
}

bool OpenTasks::all_done() const noexcept { return std::ranges::find(done_, 0) == done_.end(); }

std::vector<Index> OpenTasks::worth_keeping() const {
  std::vector<Index> kept;
  if (4 * std::ranges::count(done_, 1) < count()) return kept;
  for (Index t = 0; t < count(); ++t) {
    if (!done_[as_size(t)]) kept.push_back(t);
  }
  return kept;
}

void OpenTasks::keep_columns(std::span<const Index> kept) {
  std::vector<char> leaves(task_.size(), 1);
  for (const Index t : kept) leaves[as_size(t)] = 0;
  for (std::size_t t = 0; t < leaves.size(); ++t) {
    if (!leaves[t]) continue;
    worst_left_ = std::max(worst_left_, norm_[t]);
    value_left_ += value_[t];
  }
  keep_entries(task_, kept);
  keep_entries(gained_, kept);
  for (auto* numbers : {&norm_, &value_, &best_}) keep_entries(*numbers, kept);
  for (auto* flags : {&started_within_, &done_}) keep_entries(*flags, kept);
}

}  // namespace mugrad
