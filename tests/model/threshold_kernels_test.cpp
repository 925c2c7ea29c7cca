// SPDX-License-Identifier: MIT
#include "linalg/pass/panels.h"
#include "model/score_kernels.h"
#include "support/every_target.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace mugrad {
namespace {

TEST(ReachedThresholds, AreTheBitsOfAPlainLoopOnEveryTarget) {
  constexpr Index kRows = 7;
  constexpr Index kStride = 3;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> some(-2, 2);  // many are equal
  testing::for_each_target([&] {
    for (Index width = 8; width <= 64; width += 8) {
      AlignedBuffer<double> scores(kRows * width);
      AlignedBuffer<double> thresholds(width);
      for (Index k = 0; k < scores.size(); ++k) scores.data()[k] = some(random);
      for (Index k = 0; k < width; ++k) thresholds.data()[k] = some(random);
      scores.data()[3] = std::nan("");
      thresholds.data()[5] = std::nan("");
      scores.data()[6] = std::numeric_limits<double>::infinity();
      std::vector<std::uint64_t> bits(kRows * kStride, 99);
      reached_thresholds(kRows, width, scores.data(), thresholds.data(), kStride, bits.data());
      for (Index row = 0; row < kRows; ++row) {
        std::uint64_t expected = 0;
        for (Index k = 0; k < width; ++k) {
          const bool is_reached = scores.data()[row * width + k] >= thresholds.data()[k];
          expected |= std::uint64_t{is_reached} << k;
        }
        const auto at = static_cast<std::size_t>(row * kStride);
        ASSERT_EQ(bits[at], expected) << row << " of width " << width;
        ASSERT_EQ(bits[at + 1], 99U);
      }
    }
  });
}

}  // namespace
}  // namespace mugrad
