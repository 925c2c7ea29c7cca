// SPDX-License-Identifier: MIT
// The one transcendental function of a pass, n T times: the derivative of the logistic loss.
#include "linalg/pass/panels.h"
#include "objective/logistic_kernels.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace mugrad::bench {
namespace {

template <class Real>
void logistic(benchmark::State& state) {
  std::vector<Real> scores(4096);
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] = Real(0.003) * Real(k) - 6;
  AlignedBuffer<Real> residuals(std::ssize(scores));
  for (auto _ : state) {
    std::ranges::copy(scores, residuals.data());
    logistic_slopes(1, residuals.size(), residuals.data());
    benchmark::DoNotOptimize(residuals.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(scores.size()));
}

BENCHMARK(logistic<float>)->Name("logistic/float")->UseRealTime();
BENCHMARK(logistic<double>)->Name("logistic/double")->UseRealTime();

}  // namespace
}  // namespace mugrad::bench
