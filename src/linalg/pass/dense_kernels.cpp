// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"
#include "linalg/pass/panels.h"

// This must precede all other includes of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/pass/dense_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Half a line of floats: with six labels, wider vectors would be mostly empty.
template <class Real>
using Lanes = hn::CappedTag<Real, 8>;

/// The layout of the factors of a sum: factor k of sum i is a[i * between_sums + k * between].
struct Walk {
  Index between_sums, between;
};

/// to(i) = sum over k < count of factor(i, k) * panel(k), for kSums sums of one vector; if kAddsUp,
/// the finished sum is added to the previous value.
template <std::size_t kSums, bool kAddsUp, class Real>
HWY_INLINE void sum_up(Walk walk, Index count, const Real* HWY_RESTRICT a,
                       const Real* HWY_RESTRICT panel, Real* HWY_RESTRICT to) {
  const Lanes<Real> d;
  hn::Vec<Lanes<Real>> sum[kSums];
  for (auto& vector : sum) vector = hn::Zero(d);
  for (Index k = 0; k < count; ++k) {
    const auto entry = hn::Load(d, panel + k * kLine<Real>);
    const Real* const factors = a + k * walk.between;
    for (std::size_t i = 0; i < kSums; ++i) {
      const auto factor = hn::Set(d, factors[as_index(i) * walk.between_sums]);
      sum[i] = hn::MulAdd(factor, entry, sum[i]);
    }
  }
  for (std::size_t i = 0; i < kSums; ++i) {
    Real* const at = to + as_index(i) * kLine<Real>;
    hn::Store(kAddsUp ? hn::Add(hn::Load(d, at), sum[i]) : sum[i], d, at);
  }
}

/// All sums, for all vectors of the filled columns.
template <bool kAddsUp, class Real>
HWY_INLINE void sum_up_all(Walk walk, Index sums, Index count, const Real* a, const Real* panel,
                           Index columns, Real* to) {
  constexpr Index kTogether = 8;  // enough to hide the latency of an addition
  const auto lanes = as_index(hn::Lanes(Lanes<Real>()));
  for (Index first = 0; first < columns; first += lanes) {
    Index i = 0;
    for (; i + kTogether <= sums; i += kTogether) {
      sum_up<kTogether, kAddsUp>(walk, count, a + i * walk.between_sums, panel + first,
                                 to + i * kLine<Real> + first);
    }
    for (; i < sums; ++i) {
      sum_up<1, kAddsUp>(walk, count, a + i * walk.between_sums, panel + first,
                         to + i * kLine<Real> + first);
    }
  }
}

void narrow_multiply_float(Index rows, Index cols, const float* a, const float* panel,
                           Index columns, float* out) {
  sum_up_all<false>({cols, 1}, rows, cols, a, panel, columns, out);
}
void narrow_multiply_double(Index rows, Index cols, const double* a, const double* panel,
                            Index columns, double* out) {
  sum_up_all<false>({cols, 1}, rows, cols, a, panel, columns, out);
}
void narrow_add_float(Index rows, Index cols, const float* a, const float* panel, Index columns,
                      float* sums) {
  sum_up_all<true>({1, cols}, cols, rows, a, panel, columns, sums);
}
void narrow_add_double(Index rows, Index cols, const double* a, const double* panel, Index columns,
                       double* sums) {
  sum_up_all<true>({1, cols}, cols, rows, a, panel, columns, sums);
}

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(narrow_multiply_float);
HWY_EXPORT(narrow_multiply_double);
HWY_EXPORT(narrow_add_float);
HWY_EXPORT(narrow_add_double);

void multiply_narrow(Index rows, Index cols, const float* a, const float* panel, Index columns,
                     float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(narrow_multiply_float)(rows, cols, a, panel, columns, out);
}
void multiply_narrow(Index rows, Index cols, const double* a, const double* panel, Index columns,
                     double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(narrow_multiply_double)(rows, cols, a, panel, columns, out);
}
void add_narrow(Index rows, Index cols, const float* a, const float* panel, Index columns,
                float* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(narrow_add_float)(rows, cols, a, panel, columns, sums);
}
void add_narrow(Index rows, Index cols, const double* a, const double* panel, Index columns,
                double* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(narrow_add_double)(rows, cols, a, panel, columns, sums);
}

}  // namespace mugrad
#endif
