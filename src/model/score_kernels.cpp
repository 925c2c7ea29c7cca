// SPDX-License-Identifier: MIT
#include "model/score_kernels.h"

#include "linalg/pass/panels.h"

#include <cassert>
#include <cmath>

// This must precede all other includes of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/score_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

bool within(Index count, const double* HWY_RESTRICT numbers, double most) {
  const hn::ScalableTag<double> d;
  const auto lanes = as_index(hn::Lanes(d));
  const auto bound = hn::Set(d, most);
  auto inside = hn::Eq(bound, bound);
  Index k = 0;
  for (; k + 2 * lanes <= count; k += 2 * lanes) {
    const auto first = hn::Le(hn::Abs(hn::LoadU(d, numbers + k)), bound);
    const auto second = hn::Le(hn::Abs(hn::LoadU(d, numbers + k + lanes)), bound);
    inside = hn::And(inside, hn::And(first, second));
  }
  bool result = hn::AllTrue(d, inside);
  for (; k < count; ++k) result = result && std::fabs(numbers[k]) <= most;
  return result;
}

void reached(Index rows, Index width, const double* HWY_RESTRICT scores,
             const double* HWY_RESTRICT thresholds, Index stride, std::uint64_t* bits) {
  const hn::ScalableTag<double> d;
  const auto lanes = as_index(hn::Lanes(d));
  for (Index row = 0; row < rows; ++row, scores += width, bits += stride) {
    std::uint64_t found = 0;
    for (Index k = 0; k < width; k += lanes) {
      // At most a cache line of doubles, so one byte; the bits beyond the lanes are zero.
      std::uint8_t some[8];
      hn::StoreMaskBits(d, hn::Ge(hn::Load(d, scores + k), hn::Load(d, thresholds + k)), some);
      found |= std::uint64_t{some[0]} << k;
    }
    *bits = found;
  }
}

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(within);
HWY_EXPORT(reached);

bool all_within(std::span<const double> numbers, double most) noexcept {
  return HWY_DYNAMIC_DISPATCH(within)(std::ssize(numbers), numbers.data(), most);
}

void reached_thresholds(Index rows, Index width, const double* scores, const double* thresholds,
                        Index stride, std::uint64_t* bits) noexcept {
  assert(width <= 64 && width % kLine<double> == 0);
  HWY_DYNAMIC_DISPATCH(reached)(rows, width, scores, thresholds, stride, bits);
}

}  // namespace mugrad
#endif
