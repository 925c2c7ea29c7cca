// SPDX-License-Identifier: MIT
// The fused pass: gradients of all labels in one sweep over the features.
#include "kernels/sets.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>

#include <benchmark/benchmark.h>

namespace mugrad::bench {
namespace {

template <class Real>
void gradient(benchmark::State& state, const std::string& path) {
  const Dataset& data = train_part(path);
  ThreadPool pool(threads());
  const auto transform = feature_transform(fit_representation(data.x, RepresentationKind::zscore));
  const auto tasks = linear_tasks<Real>(data.x, transform, data.y, {.rho = 0.01}, pool);
  Matrix<Real> weights(tasks->parameters(), tasks->tasks(), Real(0.001));
  Matrix<Real> result(tasks->parameters(), tasks->tasks());
  for (auto _ : state) {
    tasks->gradient({}, weights, result, {});
    benchmark::DoNotOptimize(result.data());
    benchmark::ClobberMemory();
  }
  // A multiply-add for the score and one for the gradient, per entry and label.
  const auto entries = data.x.is_sparse() ? data.x.nonzeros() : data.rows() * data.features();
  state.counters["flops"] =
      benchmark::Counter(4.0 * static_cast<double>(entries) * static_cast<double>(data.labels()),
                         benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void register_gradient(const std::string& path) {
  const auto add = [&](const char* precision, auto function) {
    benchmark::RegisterBenchmark(("gradient/" + set_name(path) + "/" + precision).c_str(), function,
                                 path)
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add("float", gradient<float>);
  add("double", gradient<double>);
}

}  // namespace mugrad::bench
