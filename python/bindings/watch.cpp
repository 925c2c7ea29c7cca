// SPDX-License-Identifier: MIT
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/solver/progress.h>

#include <algorithm>

namespace py = pybind11;

namespace mugrad::python {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

void Watch::begin(const Stopping& stopping) {
  stopping_ = stopping;
  look(told_);  // what it finds ends the run at its first iterate
}

bool Watch::observe(const IterationState& state) { return look(share_done(state, stopping_)); }

bool Watch::observe_within(double) { return look(told_); }

void Watch::check() {
  if (!look(told_)) throw InterruptedError("the work was interrupted");
}

bool Watch::look(double share) {
  if (raised_) return false;
  told_ = std::max(told_, share);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return true;
  next_ = now + kInterval;
  const py::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress_.is_none()) progress_(told_);
  } catch (py::error_already_set& error) {
    raised_.emplace(std::move(error));
  }
  return !raised_;
}

}  // namespace mugrad::python
