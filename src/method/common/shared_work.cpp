// SPDX-License-Identifier: MIT
#include "method/common/shared_work.h"

#include <chrono>
#include <numeric>
#include <utility>

namespace mugrad {

SharedWork::SharedWork(Stages& stages, std::vector<double> costs)
    : stages_(stages),
      costs_(std::move(costs)),
      all_costs_(std::accumulate(costs_.begin(), costs_.end(), 0.0)),
      caller_(std::this_thread::get_id()) {}

std::optional<std::size_t> SharedWork::next() {
  if (!goes_on()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (taken_ == costs_.size()) return std::nullopt;
  return taken_++;
}

void SharedWork::finish(std::size_t piece) {
  const std::lock_guard lock(mutex_);
  done_ += costs_[piece];
}

bool SharedWork::goes_on() {
  if (std::this_thread::get_id() == caller_ && !stages_.update(share_done())) stopped_ = true;
  return !stopped_;
}

void SharedWork::enter() {
  const std::lock_guard lock(mutex_);
  ++at_work_;
}

void SharedWork::leave() {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  const auto is_over = [this] { return at_work_ == 0; };
  std::unique_lock lock(mutex_);
  --at_work_;
  left_.notify_all();
  if (std::this_thread::get_id() != caller_) {
    left_.wait(lock, is_over);
    return;
  }
  while (!left_.wait_for(lock, kBetweenLooks, is_over)) {
    lock.unlock();
    goes_on();
    lock.lock();
  }
}

double SharedWork::share_done() {
  const std::lock_guard lock(mutex_);
  return all_costs_ > 0 ? done_ / all_costs_ : 1;
}

}  // namespace mugrad
