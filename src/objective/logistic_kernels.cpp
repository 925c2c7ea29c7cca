// SPDX-License-Identifier: MIT
#include "objective/logistic_kernels.h"

// This must precede all other includes of Highway.
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
  // Fourteen bits, doubled by a Newton step, in half the time of a division.
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
  HWY_INLINE V curvature(D) const { return hn::Mul(hn::Mul(decay, larger), larger); }
  /// log(1 + exp(z)).
  HWY_INLINE V value(D d) const {
    const auto positive = hn::Gt(z, hn::Zero(d));
    const auto value = hn::Add(hn::IfThenElseZero(positive, z), hn::Log1p(d, decay));
    return hn::IfThenElse(hn::IsNaN(z), z, value);  // the logarithm may lose NaN
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
void slopes(Index count, Real* z) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  for (Index k = 0; k < count; k += lanes) {
    hn::Store(Logistic(d, hn::Load(d, z + k)).slope(d), d, z + k);
  }
}

template <bool kWithValues, class Real>
HWY_INLINE void slopes_and_sums(Index rows, Index width, Real* z, double* values,
                                double* curvatures) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  for (Index column = 0; column < width; column += lanes) {
    // Without values, this memory is not read again.
    Sums<Real> value((kWithValues ? values : curvatures) + column);
    Sums<Real> curvature(curvatures + column);
    auto block_curvature = hn::Zero(d);  // of few rows, so the precision of Real suffices
    for (Index row = 0; row < rows; ++row) {
      Real* const at = z + row * width + column;
      const Logistic logistic(d, hn::Load(d, at));
      if constexpr (kWithValues) value.add(logistic.value(d));
      block_curvature = hn::Add(block_curvature, logistic.curvature(d));
      hn::Store(logistic.slope(d), d, at);
    }
    curvature.add(block_curvature);
    if constexpr (kWithValues) value.store(values + column);
    curvature.store(curvatures + column);
  }
}

template <class Real>
void slopes_and_wanted_sums(Index rows, Index width, Real* z, double* values, double* curvatures) {
  values != nullptr ? slopes_and_sums<true>(rows, width, z, values, curvatures)
                    : slopes_and_sums<false>(rows, width, z, values, curvatures);
}

template <class Real>
void curvature_times(Index count, const Real* u, Real* z) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  for (Index k = 0; k < count; k += lanes) {
    const auto curvature = Logistic(d, hn::Load(d, z + k)).curvature(d);
    hn::Store(hn::Mul(curvature, hn::Load(d, u + k)), d, z + k);
  }
}

// HWY_EXPORT takes names, not templates.
constexpr auto& slopes_float = slopes<float>;
constexpr auto& slopes_double = slopes<double>;
constexpr auto& sums_float = slopes_and_wanted_sums<float>;
constexpr auto& sums_double = slopes_and_wanted_sums<double>;
constexpr auto& curvatures_float = curvature_times<float>;
constexpr auto& curvatures_double = curvature_times<double>;

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(slopes_float);
HWY_EXPORT(slopes_double);
HWY_EXPORT(sums_float);
HWY_EXPORT(sums_double);
HWY_EXPORT(curvatures_float);
HWY_EXPORT(curvatures_double);

void logistic_slopes(Index rows, Index width, float* z) noexcept {
  HWY_DYNAMIC_DISPATCH(slopes_float)(rows * width, z);
}
void logistic_slopes(Index rows, Index width, double* z) noexcept {
  HWY_DYNAMIC_DISPATCH(slopes_double)(rows * width, z);
}
void logistic_slopes_and_sums(Index rows, Index width, float* z, double* values,
                              double* curvatures) noexcept {
  HWY_DYNAMIC_DISPATCH(sums_float)(rows, width, z, values, curvatures);
}
void logistic_slopes_and_sums(Index rows, Index width, double* z, double* values,
                              double* curvatures) noexcept {
  HWY_DYNAMIC_DISPATCH(sums_double)(rows, width, z, values, curvatures);
}
void logistic_curvature_times(Index rows, Index width, const float* u, float* z) noexcept {
  HWY_DYNAMIC_DISPATCH(curvatures_float)(rows * width, u, z);
}
void logistic_curvature_times(Index rows, Index width, const double* u, double* z) noexcept {
  HWY_DYNAMIC_DISPATCH(curvatures_double)(rows * width, u, z);
}

}  // namespace mugrad
#endif
