// SPDX-License-Identifier: MIT
// What this machine can do at most, in single precision: multiply-adds per second, and bytes per
// second from each cache and from memory. Kernels are judged against these numbers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "programs/roofline.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h, which includes this file once per instruction set.
#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace mugrad::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Flops of `rounds` rounds; enough independent sums to hide the latency of an addition.
double multiply_add(std::size_t rounds, float* sink) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, 0.999F);
  const auto term = hn::Set(d, 0.001F);
  auto s0 = hn::Iota(d, 0), s1 = hn::Iota(d, 1), s2 = hn::Iota(d, 2), s3 = hn::Iota(d, 3);
  auto s4 = hn::Iota(d, 4), s5 = hn::Iota(d, 5), s6 = hn::Iota(d, 6), s7 = hn::Iota(d, 7);
  auto s8 = hn::Iota(d, 8), s9 = hn::Iota(d, 9);
  for (std::size_t k = 0; k < rounds; ++k) {
    s0 = hn::MulAdd(s0, factor, term);
    s1 = hn::MulAdd(s1, factor, term);
    s2 = hn::MulAdd(s2, factor, term);
    s3 = hn::MulAdd(s3, factor, term);
    s4 = hn::MulAdd(s4, factor, term);
    s5 = hn::MulAdd(s5, factor, term);
    s6 = hn::MulAdd(s6, factor, term);
    s7 = hn::MulAdd(s7, factor, term);
    s8 = hn::MulAdd(s8, factor, term);
    s9 = hn::MulAdd(s9, factor, term);
  }
  s0 = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), s6));
  s0 = hn::Add(hn::Add(s0, s7), hn::Add(s8, s9));
  *sink = hn::GetLane(hn::SumOfLanes(d, s0));
  return 2.0 * 10.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

/// Reads all of it once. Requires: size is a multiple of eight vectors; data aligned.
void load(const float* data, std::size_t size, float* sink) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t k = 0; k < size; k += 8 * lanes) {
    s0 = hn::Add(s0, hn::Load(d, data + k));
    s1 = hn::Add(s1, hn::Load(d, data + k + lanes));
    s2 = hn::Add(s2, hn::Load(d, data + k + 2 * lanes));
    s3 = hn::Add(s3, hn::Load(d, data + k + 3 * lanes));
    s4 = hn::Add(s4, hn::Load(d, data + k + 4 * lanes));
    s5 = hn::Add(s5, hn::Load(d, data + k + 5 * lanes));
    s6 = hn::Add(s6, hn::Load(d, data + k + 6 * lanes));
    s7 = hn::Add(s7, hn::Load(d, data + k + 7 * lanes));
  }
  s0 =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  *sink = hn::GetLane(hn::SumOfLanes(d, s0));
}

/// Reads and writes all of it once, as `load` does.
void load_store(float* data, std::size_t size) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, 0.999F);
  const auto term = hn::Set(d, 0.001F);
  for (std::size_t k = 0; k < size; k += 4 * lanes) {
    hn::Store(hn::MulAdd(hn::Load(d, data + k), factor, term), d, data + k);
    hn::Store(hn::MulAdd(hn::Load(d, data + k + lanes), factor, term), d, data + k + lanes);
    hn::Store(hn::MulAdd(hn::Load(d, data + k + 2 * lanes), factor, term), d, data + k + 2 * lanes);
    hn::Store(hn::MulAdd(hn::Load(d, data + k + 3 * lanes), factor, term), d, data + k + 3 * lanes);
  }
}

const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }

}  // namespace mugrad::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "programs/clock.h"
#include "programs/program.h"

#include <hwy/aligned_allocator.h>

#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace mugrad::bench {
namespace {

HWY_EXPORT(multiply_add);
HWY_EXPORT(load);
HWY_EXPORT(load_store);
HWY_EXPORT(instruction_set);

/// A level of the memory, and how much data each thread keeps there.
struct Level {
  const char* name;
  std::size_t capacity;  ///< bytes of one instance; 0: not known
  std::size_t bytes;     ///< of data per thread
};

/// Bytes of the data cache of a level, as the kernel reports it: sysconf adds up instances that
/// other virtual machines use.
std::size_t cache_size(int level, std::size_t otherwise) {
  for (int index = 0; index < 8; ++index) {
    const auto folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const auto word = [&](const char* file) {
      std::string text;
      std::ifstream(folder + file) >> text;
      return text;
    };
    if (word("level") != std::to_string(level) || word("type") == "Instruction") continue;
    const auto size = word("size");
    const auto unit = size.ends_with('K') ? 10U : size.ends_with('M') ? 20U : 0U;
    return std::stoul(size) << unit;
  }
  return otherwise;
}

/// Half a cache, so that the data stay in it; for memory, far more than the last cache.
std::vector<Level> levels(std::size_t threads) {
  const std::size_t l1 = cache_size(1, 32U << 10U);
  const std::size_t l2 = cache_size(2, 512U << 10U);
  const std::size_t l3 = cache_size(3, 16U << 20U);
  return {{"L1", l1, l1 / 2},
          {"L2", l2, l2 / 2},
          {"L3", l3, l3 / 2 / threads},
          {"memory", 0, std::max<std::size_t>(256U << 20U, 8 * l3)}};
}

/// Seconds for all threads to do work(thread), together, at best: a roof is what is possible. Many
/// short runs find a moment in which nothing else runs.
double run_together(std::size_t threads, const std::function<void(std::size_t)>& work) {
  return sorted_seconds(50,
                        [&] {
                          std::vector<std::jthread> running;
                          for (std::size_t k = 0; k < threads; ++k) running.emplace_back(work, k);
                        })
      .front();
}

double peak_flops(std::size_t threads) {
  constexpr std::size_t kRounds = 2'000'000;
  std::vector<float> sinks(threads);
  std::vector<double> flops(threads);
  const double seconds = run_together(threads, [&](std::size_t thread) {
    flops[thread] = HWY_DYNAMIC_DISPATCH(multiply_add)(kRounds, &sinks[thread]);
  });
  double total = 0;
  for (const double of_thread : flops) total += of_thread;
  return total / seconds;
}

Json bandwidth(const Level& level, std::size_t threads) {
  constexpr std::size_t kBytesPerRun = std::size_t{1} << 28U;  // milliseconds
  const std::size_t size = level.bytes / sizeof(float) / 1024 * 1024;
  const std::size_t sweeps = std::max<std::size_t>(1, kBytesPerRun / level.bytes);
  std::vector<hwy::AlignedFreeUniquePtr<float[]>> data(threads);
  std::vector<float> sinks(threads);
  // Each thread touches its own part first: that is where its memory is placed.
  for (auto& part : data) part = hwy::AllocateAligned<float>(size);
  run_together(threads, [&](std::size_t k) { std::fill_n(data[k].get(), size, 1.0F); });
  const double loading = run_together(threads, [&](std::size_t k) {
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      HWY_DYNAMIC_DISPATCH(load)(data[k].get(), size, &sinks[k]);
    }
  });
  const double updating = run_together(threads, [&](std::size_t k) {
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      HWY_DYNAMIC_DISPATCH(load_store)(data[k].get(), size);
    }
  });
  const double bytes = static_cast<double>(threads * sweeps * size * sizeof(float));
  return {{"level", level.name},
          {"capacity", level.capacity},
          {"load", bytes / loading},
          {"load_store", 2 * bytes / updating}};
}

}  // namespace
}  // namespace mugrad::bench

int main(int argc, char** argv) {
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv, {{"threads", 2}});
    const auto threads = given["threads"].get<std::size_t>();
    Json result = {{"instruction_set", HWY_DYNAMIC_DISPATCH(instruction_set)()},
                   {"flops", peak_flops(threads)},
                   {"levels", Json::array()}};
    for (const auto& level : levels(threads)) {
      result["levels"].push_back(bandwidth(level, threads));
    }
    print(result);
  });
}
#endif
