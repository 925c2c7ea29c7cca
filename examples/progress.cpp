// SPDX-License-Identifier: MIT
// Shows the progress of training and stops it after a time limit: progress [SECONDS].
#include <mugrad/mugrad.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

using Clock = std::chrono::steady_clock;

/// The library calls `update` many times a second, from the calling thread.
struct Bar final : mugrad::Progress {
  explicit Bar(double seconds) : end(Clock::now() + std::chrono::duration<double>(seconds)) {}
  bool update(double share) override {
    std::fprintf(stderr, "\rtraining %3.0f %%", 100 * share);
    return Clock::now() < end;  // false stops the training
  }
  std::chrono::time_point<Clock, std::chrono::duration<double>> end;
};

int main(int argc, char** argv) {
  try {
    const auto data = mugrad::generate({.rows = 2000, .labels = 50}).data;
    Bar bar(argc > 1 ? std::atof(argv[1]) : 60);
    const auto model = mugrad::fit(data, mugrad::MgdOptions{.sigma = 0.1}, &bar);
    std::fprintf(stderr, "\n");
    std::printf("trained %lld labels\n", static_cast<long long>(model.labels()));
    return 0;
  } catch (const mugrad::InterruptedError&) {
    std::fprintf(stderr, "\n");
    std::printf("stopped by the time limit\n");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
