// SPDX-License-Identifier: MIT
// Compiled once per instruction set: included after Highway by files that are, too.
#if defined(MUGRAD_OBJECTIVE_DECAY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MUGRAD_OBJECTIVE_DECAY_INL_H
#undef MUGRAD_OBJECTIVE_DECAY_INL_H
#else
#define MUGRAD_OBJECTIVE_DECAY_INL_H
#endif

// clang-format off
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// exp(x) for x <= 0.
HWY_INLINE hn::Vec<hn::ScalableTag<double>> decayed(hn::ScalableTag<double> d,
                                                    hn::Vec<hn::ScalableTag<double>> x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));  // treats NaN as a very small number
}
/// By x = n log 2 + r and a minimax polynomial in r for the relative error.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> decayed(hn::ScalableTag<float> d,
                                                   hn::Vec<hn::ScalableTag<float>> x) {
  const auto n = hn::NearestInt(hn::Mul(x, hn::Set(d, 1.44269504F)));
  const auto whole = hn::ConvertTo(d, n);
  const auto near = hn::NegMulAdd(whole, hn::Set(d, 0.693359375F), x);  // exact
  const auto r = hn::NegMulAdd(whole, hn::Set(d, -2.12194440e-4F), near);
  auto polynomial = hn::MulAdd(hn::Set(d, 1.38143206e-3F), r, hn::Set(d, 8.36885107e-3F));
  polynomial = hn::MulAdd(polynomial, r, hn::Set(d, 4.16684011e-2F));
  polynomial = hn::MulAdd(polynomial, r, hn::Set(d, 1.66665195e-1F));
  polynomial = hn::MulAdd(polynomial, r, hn::Set(d, 4.99999934e-1F));
  const auto power = hn::Add(hn::MulAdd(hn::Mul(r, r), polynomial, r), hn::Set(d, 1));
  const hn::RebindToSigned<hn::ScalableTag<float>> di;
  const auto scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
  const auto vanishes = hn::Lt(x, hn::Set(d, -87.33654F));  // false for NaN
  return hn::IfThenZeroElse(vanishes, hn::Mul(power, scale));
}

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
