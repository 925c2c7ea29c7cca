// SPDX-License-Identifier: MIT
#pragma once

#include "unlocked.h"

#include <mugrad/core/progress.h>

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

namespace mugrad::python {

/// Lets Python have a look now and then while the library works without the interpreter's lock:
/// signals such as Ctrl-C are handled, and progress is told. Either may end the work.
class Watch final : public Progress {
 public:
  /// `progress` is called with the share that is done, in [0, 1], or is None.
  explicit Watch(pybind11::object progress = pybind11::none()) : progress_(std::move(progress)) {}

  bool update(double share) override;
  /// Calls work() without the interpreter's lock. Throws what it throws, or the Python exception
  /// for which it was ended.
  template <class Work>
  auto run(const Work& work) {
    try {
      const Unlocked unlocked;
      return work();
    } catch (...) {
      if (raised_) throw std::move(*raised_);
      throw;
    }
  }

 private:
  pybind11::object progress_;
  double told_ = 0;
  std::chrono::steady_clock::time_point next_{};
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace mugrad::python
