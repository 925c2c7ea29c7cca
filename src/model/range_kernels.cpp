// SPDX-License-Identifier: MIT
#include "model/range_kernels.h"

#include <mugrad/core/types.h>

#include <cmath>

// The targets are chosen first, and go before all else of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/range_kernels.cpp"
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
  const auto lanes = static_cast<Index>(hn::Lanes(d));
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

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(within);

bool all_within(std::span<const double> numbers, double most) noexcept {
  return HWY_DYNAMIC_DISPATCH(within)(std::ssize(numbers), numbers.data(), most);
}

}  // namespace mugrad
#endif
