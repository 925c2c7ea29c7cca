// SPDX-License-Identifier: MIT
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace mugrad::bench {

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds that `work` takes, ascending: one run to warm up, then `repeats`, at least one.
template <class Work>
std::vector<double> sorted_seconds(int repeats, Work&& work) {
  work();
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) {
    const Stopwatch watch;
    work();
    seconds.push_back(watch.seconds());
  }
  std::ranges::sort(seconds);
  return seconds;
}

template <class Work>
double median_seconds(int repeats, Work&& work) {
  return sorted_seconds(repeats, work)[static_cast<std::size_t>(repeats / 2)];
}

/// Processor time of all threads of this process so far: other programs change it little.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least processor time of several runs.
template <class Work>
double least_processor_seconds(int repeats, Work&& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repeats; ++k) {
    const double start = processor_seconds();
    work();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

}  // namespace mugrad::bench
