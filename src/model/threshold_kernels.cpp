// SPDX-License-Identifier: MIT
#include "model/threshold_kernels.h"

#include "linalg/pass/panels.h"

#include <cassert>

// The targets are chosen first, and go before all else of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/threshold_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void reached(Index rows, Index width, const double* HWY_RESTRICT scores,
             const double* HWY_RESTRICT thresholds, Index stride, std::uint64_t* bits) {
  const hn::ScalableTag<double> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index row = 0; row < rows; ++row, scores += width, bits += stride) {
    std::uint64_t found = 0;
    for (Index k = 0; k < width; k += lanes) {
      // A cache line of doubles at most, so one byte; the bits beyond the lanes are zero.
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

HWY_EXPORT(reached);

void reached_thresholds(Index rows, Index width, const double* scores, const double* thresholds,
                        Index stride, std::uint64_t* bits) noexcept {
  assert(width <= 64 && width % kLine<double> == 0);
  HWY_DYNAMIC_DISPATCH(reached)(rows, width, scores, thresholds, stride, bits);
}

}  // namespace mugrad
#endif
