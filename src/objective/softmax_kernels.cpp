// SPDX-License-Identifier: MIT
#include "objective/softmax_kernels.h"

#include <limits>

// This must precede all other includes of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "objective/softmax_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "objective/decay-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

template <class Real>
void raise_rows(Index rows, Index width, Index columns, const Real* z, Real* largest) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  const Index whole = columns / lanes * lanes;
  const auto filled = hn::FirstN(d, as_size(columns - whole));
  const auto least = hn::Set(d, -std::numeric_limits<Real>::infinity());
  for (Index row = 0; row < rows; ++row, z += width) {
    auto most = hn::Set(d, largest[row]);
    for (Index t = 0; t < whole; t += lanes) most = hn::Max(most, hn::Load(d, z + t));
    if (whole < columns) {
      most = hn::Max(most, hn::IfThenElse(filled, hn::Load(d, z + whole), least));
    }
    largest[row] = hn::GetLane(hn::MaxOfLanes(d, most));
  }
}

template <class Real>
void take_exponentials(Index rows, Index width, Index columns, const Real* largest, Real* z,
                       double* totals) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  const Index whole = columns / lanes * lanes;
  const auto filled = hn::FirstN(d, as_size(columns - whole));
  for (Index row = 0; row < rows; ++row, z += width) {
    const auto most = hn::Set(d, largest[row]);
    auto sum = hn::Zero(d);
    Index t = 0;
    for (; t < whole; t += lanes) {
      const auto power = decayed(d, hn::Sub(hn::Load(d, z + t), most));
      sum = hn::Add(sum, power);
      hn::Store(power, d, z + t);
    }
    if (t < columns) {
      const auto power = decayed(d, hn::Sub(hn::Load(d, z + t), most));
      const auto kept = hn::IfThenElseZero(filled, power);
      sum = hn::Add(sum, kept);
      hn::Store(kept, d, z + t);
      t += lanes;
    }
    for (; t < width; t += lanes) hn::Store(hn::Zero(d), d, z + t);
    totals[row] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
}

template <class Real>
void scale(Index rows, Index width, const Real* factors, Real* z) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  for (Index row = 0; row < rows; ++row, z += width) {
    const auto factor = hn::Set(d, factors[row]);
    for (Index t = 0; t < width; t += lanes) {
      hn::Store(hn::Mul(factor, hn::Load(d, z + t)), d, z + t);
    }
  }
}

template <class Real>
void add_curvatures(Index rows, Index width, const Real* residuals, double* curvatures) {
  const hn::ScalableTag<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  const auto one = hn::Set(d, Real{1});
  HWY_ALIGN Real entries[HWY_LANES(Real)];
  for (Index column = 0; column < width; column += lanes) {
    auto sum = hn::Zero(d);  // of few rows, so the precision of Real suffices
    for (Index row = 0; row < rows; ++row) {
      const auto size = hn::Abs(hn::Load(d, residuals + row * width + column));
      sum = hn::MulAdd(size, hn::Sub(one, size), sum);
    }
    hn::Store(sum, d, entries);
    for (Index t = 0; t < lanes; ++t) curvatures[column + t] += static_cast<double>(entries[t]);
  }
}

// HWY_EXPORT takes names, not templates.
constexpr auto& raise_float = raise_rows<float>;
constexpr auto& raise_double = raise_rows<double>;
constexpr auto& exponentials_float = take_exponentials<float>;
constexpr auto& exponentials_double = take_exponentials<double>;
constexpr auto& scale_float = scale<float>;
constexpr auto& scale_double = scale<double>;
constexpr auto& curvatures_float = add_curvatures<float>;
constexpr auto& curvatures_double = add_curvatures<double>;

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(raise_float);
HWY_EXPORT(raise_double);
HWY_EXPORT(exponentials_float);
HWY_EXPORT(exponentials_double);
HWY_EXPORT(scale_float);
HWY_EXPORT(scale_double);
HWY_EXPORT(curvatures_float);
HWY_EXPORT(curvatures_double);

void raise_to_largest(Index rows, Index width, Index columns, const float* z,
                      float* largest) noexcept {
  HWY_DYNAMIC_DISPATCH(raise_float)(rows, width, columns, z, largest);
}
void raise_to_largest(Index rows, Index width, Index columns, const double* z,
                      double* largest) noexcept {
  HWY_DYNAMIC_DISPATCH(raise_double)(rows, width, columns, z, largest);
}
void exponentials(Index rows, Index width, Index columns, const float* largest, float* z,
                  double* totals) noexcept {
  HWY_DYNAMIC_DISPATCH(exponentials_float)(rows, width, columns, largest, z, totals);
}
void exponentials(Index rows, Index width, Index columns, const double* largest, double* z,
                  double* totals) noexcept {
  HWY_DYNAMIC_DISPATCH(exponentials_double)(rows, width, columns, largest, z, totals);
}
void scale_rows(Index rows, Index width, const float* factors, float* z) noexcept {
  HWY_DYNAMIC_DISPATCH(scale_float)(rows, width, factors, z);
}
void scale_rows(Index rows, Index width, const double* factors, double* z) noexcept {
  HWY_DYNAMIC_DISPATCH(scale_double)(rows, width, factors, z);
}
void add_softmax_curvatures(Index rows, Index width, const float* residuals,
                            double* curvatures) noexcept {
  HWY_DYNAMIC_DISPATCH(curvatures_float)(rows, width, residuals, curvatures);
}
void add_softmax_curvatures(Index rows, Index width, const double* residuals,
                            double* curvatures) noexcept {
  HWY_DYNAMIC_DISPATCH(curvatures_double)(rows, width, residuals, curvatures);
}

}  // namespace mugrad
#endif
