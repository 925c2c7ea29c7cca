// SPDX-License-Identifier: MIT
#include "objective/logistic_kernels.h"

// The targets are chosen first, and go before all else of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "objective/logistic_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "objective/decay-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// 1 / x for x between 1 and 2.
template <class D>
HWY_INLINE hn::Vec<D> inverse(D d, hn::Vec<D> x) {
#if HWY_TARGET <= HWY_AVX3
  // Fourteen bits, and a step of Newton's for as many again, in half the time of a division.
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(float)) {
    const auto near = hn::ApproximateReciprocal(x);
    return hn::Mul(near, hn::NegMulAdd(x, near, hn::Set(d, 2)));
  }
#endif
  return hn::Div(hn::Set(d, 1), x);
}

/// exp(-|z|) and 1 / (1 + exp(-|z|)), from which all else follows without overflow.
template <class D>
struct Logistic {
  using V = hn::Vec<D>;

  HWY_INLINE Logistic(D d, V score)
      : z(score),
        decay(decayed(d, hn::Neg(hn::Abs(score)))),
        larger(inverse(d, hn::Add(hn::Set(d, 1), decay))) {}

  /// 1 / (1 + exp(-z)).
  HWY_INLINE V slope(D d) const {
    const auto negative = hn::Lt(z, hn::Zero(d));
    return hn::IfThenElse(negative, hn::Mul(decay, larger), larger);
  }
  /// The product of the probabilities of both classes.
  HWY_INLINE V bend(D) const { return hn::Mul(hn::Mul(decay, larger), larger); }
  /// log(1 + exp(z)).
  HWY_INLINE V value(D d) const {
    const auto positive = hn::Gt(z, hn::Zero(d));
    const auto value = hn::Add(hn::IfThenElseZero(positive, z), hn::Log1p(d, decay));
    return hn::IfThenElse(hn::IsNaN(z), z, value);  // as the logarithm may be
  }

  V z, decay, larger;
};

/// Sums of the entries of many vectors, in double.
template <class Real>
class Sums {
 public:
  HWY_INLINE explicit Sums(const double* from) {
    for (std::size_t part = 0; part < kParts; ++part) {
      sum_[part] = hn::Load(Wide(), from + part * hn::Lanes(Wide()));
    }
  }
  HWY_INLINE void add(hn::Vec<hn::ScalableTag<Real>> v) {
    if constexpr (std::is_same_v<Real, double>) {
      sum_[0] = hn::Add(sum_[0], v);
    } else {
      HWY_ALIGN Real entries[HWY_LANES(Real)];
      hn::Store(v, hn::ScalableTag<Real>(), entries);
      for (std::size_t part = 0; part < kParts; ++part) {
        const auto narrow = hn::Load(Narrow(), entries + part * hn::Lanes(Wide()));
        sum_[part] = hn::Add(sum_[part], hn::PromoteTo(Wide(), narrow));
      }
    }
  }
  HWY_INLINE void store(double* to) const {
    for (std::size_t part = 0; part < kParts; ++part) {
      hn::Store(sum_[part], Wide(), to + part * hn::Lanes(Wide()));
    }
  }

 private:
  using Wide = hn::ScalableTag<double>;
  using Narrow = hn::Rebind<Real, Wide>;
  static constexpr std::size_t kParts = HWY_LANES(Real) / HWY_LANES(double);
  hn::Vec<Wide> sum_[kParts];
};

template <class Real>
HWY_INLINE void slopes(Index count, Real* z) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < count; k += lanes) {
    hn::Store(Logistic(d, hn::Load(d, z + k)).slope(d), d, z + k);
  }
}

template <bool kWithValues, class Real>
HWY_INLINE void slopes_and_sums(Index rows, Index width, Real* z, double* values, double* bends) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index column = 0; column < width; column += lanes) {
    // Without values their place is not read from again.
    Sums<Real> value((kWithValues ? values : bends) + column);
    Sums<Real> bend(bends + column);
    auto block_bend = hn::Zero(d);  // of few rows, so that the precision of Real will do
    for (Index row = 0; row < rows; ++row) {
      Real* const at = z + row * width + column;
      const Logistic logistic(d, hn::Load(d, at));
      if constexpr (kWithValues) value.add(logistic.value(d));
      block_bend = hn::Add(block_bend, logistic.bend(d));
      hn::Store(logistic.slope(d), d, at);
    }
    bend.add(block_bend);
    if constexpr (kWithValues) value.store(values + column);
    bend.store(bends + column);
  }
}

template <class Real>
HWY_INLINE void slopes_and_wanted_sums(Index rows, Index width, Real* z, double* values,
                                       double* bends) {
  values != nullptr ? slopes_and_sums<true>(rows, width, z, values, bends)
                    : slopes_and_sums<false>(rows, width, z, values, bends);
}

template <class Real>
HWY_INLINE void bends_times(Index count, const Real* u, Real* z) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < count; k += lanes) {
    const auto bend = Logistic(d, hn::Load(d, z + k)).bend(d);
    hn::Store(hn::Mul(bend, hn::Load(d, u + k)), d, z + k);
  }
}

void slopes_float(Index count, float* z) { slopes(count, z); }
void slopes_double(Index count, double* z) { slopes(count, z); }
void sums_float(Index rows, Index width, float* z, double* values, double* bends) {
  slopes_and_wanted_sums(rows, width, z, values, bends);
}
void sums_double(Index rows, Index width, double* z, double* values, double* bends) {
  slopes_and_wanted_sums(rows, width, z, values, bends);
}
void bends_float(Index count, const float* u, float* z) { bends_times(count, u, z); }
void bends_double(Index count, const double* u, double* z) { bends_times(count, u, z); }

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(slopes_float);
HWY_EXPORT(slopes_double);
HWY_EXPORT(sums_float);
HWY_EXPORT(sums_double);
HWY_EXPORT(bends_float);
HWY_EXPORT(bends_double);

void logistic_slopes(Index rows, Index width, float* z) noexcept {
  HWY_DYNAMIC_DISPATCH(slopes_float)(rows * width, z);
}
void logistic_slopes(Index rows, Index width, double* z) noexcept {
  HWY_DYNAMIC_DISPATCH(slopes_double)(rows * width, z);
}
void logistic_slopes_and_sums(Index rows, Index width, float* z, double* values,
                              double* bends) noexcept {
  HWY_DYNAMIC_DISPATCH(sums_float)(rows, width, z, values, bends);
}
void logistic_slopes_and_sums(Index rows, Index width, double* z, double* values,
                              double* bends) noexcept {
  HWY_DYNAMIC_DISPATCH(sums_double)(rows, width, z, values, bends);
}
void logistic_bends_times(Index rows, Index width, const float* u, float* z) noexcept {
  HWY_DYNAMIC_DISPATCH(bends_float)(rows * width, u, z);
}
void logistic_bends_times(Index rows, Index width, const double* u, double* z) noexcept {
  HWY_DYNAMIC_DISPATCH(bends_double)(rows * width, u, z);
}

}  // namespace mugrad
#endif
