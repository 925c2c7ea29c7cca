// SPDX-License-Identifier: MIT
#include "watch.h"

#include <algorithm>

namespace py = pybind11;

namespace mugrad::python {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

bool Watch::update(double share) {
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
