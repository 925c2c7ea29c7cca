// SPDX-License-Identifier: MIT
// kernels [--benchmark_...] THREADS FILE...: the kernels on each of the data sets given.
#include "kernels/sets.h"

#include <mugrad/data/files.h>

#include <benchmark/benchmark.h>

#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

namespace mugrad::bench {
namespace {
Threads given_threads;
}

Threads threads() { return given_threads; }

const Dataset& train_part(const std::string& path) {
  static std::map<std::string, Dataset> read;
  const auto found = read.find(path);
  return found != read.end() ? found->second : read.emplace(path, read_dataset(path)).first->second;
}

std::string set_name(const std::string& path) {
  return std::filesystem::path(path).parent_path().filename().string();
}

}  // namespace mugrad::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  try {
    if (argc > 1) mugrad::bench::given_threads.count = std::stoi(argv[1]);
    for (int k = 2; k < argc; ++k) {
      mugrad::bench::register_gradient(argv[k]);
      mugrad::bench::register_apply(argv[k]);
    }
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  benchmark::Shutdown();
  return 0;
}
