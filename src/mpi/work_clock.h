// SPDX-License-Identifier: MIT
#pragma once

#include <time.h>

namespace mugrad::mpi {

/// Processor seconds of this process.
inline double processor_seconds() noexcept {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Adds the processor time of its lifetime.
class WorkClock {
 public:
  explicit WorkClock(double& seconds) : seconds_(seconds), started_(processor_seconds()) {}
  ~WorkClock() { seconds_ += processor_seconds() - started_; }
  WorkClock(const WorkClock&) = delete;
  WorkClock& operator=(const WorkClock&) = delete;

 private:
  double& seconds_;
  double started_;
};

}  // namespace mugrad::mpi
