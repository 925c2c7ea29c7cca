// SPDX-License-Identifier: MIT
// What transfer costs per iteration: W Mbar', from the sparse matrix and in low-rank form.
#include "kernels/sets.h"

#include <mugrad/transfer/transfer.h>

#include <benchmark/benchmark.h>

#include <functional>

namespace mugrad::bench {
namespace {

using MakeTransfer =
    std::function<std::unique_ptr<Transfer<float>>(const BinaryMatrix&, ThreadPool&)>;

void apply(benchmark::State& state, const std::string& path, const MakeTransfer& make) {
  const Dataset& data = train_part(path);
  ThreadPool pool(threads());
  const auto transfer = make(data.y, pool);
  Matrix<float> weights(data.features() + 1, data.labels(), 0.001F);
  Matrix<float> borrowed(weights.rows(), weights.cols());
  for (auto _ : state) {
    transfer->apply(weights, borrowed);
    benchmark::DoNotOptimize(borrowed.data());
    benchmark::ClobberMemory();
  }
}

}  // namespace

void register_apply(const std::string& path) {
  const auto add = [&](const char* form, const MakeTransfer& make) {
    benchmark::RegisterBenchmark(("apply/" + set_name(path) + "/" + form).c_str(), apply, path,
                                 make)
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add("matrix", [](const BinaryMatrix& labels, ThreadPool& pool) {
    return scalar_transfer<float>(label_transfer(labels, Similarity::cosine).mbar, Intercepts::own,
                                  pool);
  });
  add("low-rank", [](const BinaryMatrix& labels, ThreadPool& pool) {
    return low_rank_cosine_transfer<float>(labels, Intercepts::own, pool);
  });
}

}  // namespace mugrad::bench
