// SPDX-License-Identifier: MIT
#include "objective/softmax_kernels.h"

#include <limits>

// The targets are chosen first, and go before all else of Highway.
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
HWY_INLINE void raise_rows(Index rows, Index width, Index columns, const Real* z, Real* largest) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index whole = columns / lanes * lanes;
  const auto filled = hn::FirstN(d, static_cast<std::size_t>(columns - whole));
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
HWY_INLINE void take_exponentials(Index rows, Index width, Index columns, const Real* largest,
                                  Real* z, double* totals) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index whole = columns / lanes * lanes;
  const auto filled = hn::FirstN(d, static_cast<std::size_t>(columns - whole));
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
HWY_INLINE void scale(Index rows, Index width, const Real* factors, Real* z) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index row = 0; row < rows; ++row, z += width) {
    const auto factor = hn::Set(d, factors[row]);
    for (Index t = 0; t < width; t += lanes) {
      hn::Store(hn::Mul(factor, hn::Load(d, z + t)), d, z + t);
    }
  }
}

template <class Real>
HWY_INLINE void add_bends(Index rows, Index width, const Real* residuals, double* bends) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const auto one = hn::Set(d, Real{1});
  HWY_ALIGN Real entries[HWY_LANES(Real)];
  for (Index column = 0; column < width; column += lanes) {
    auto sum = hn::Zero(d);  // of few rows, so that the precision of Real will do
    for (Index row = 0; row < rows; ++row) {
      const auto size = hn::Abs(hn::Load(d, residuals + row * width + column));
      sum = hn::MulAdd(size, hn::Sub(one, size), sum);
    }
    hn::Store(sum, d, entries);
    for (Index t = 0; t < lanes; ++t) bends[column + t] += static_cast<double>(entries[t]);
  }
}

void raise_float(Index rows, Index width, Index columns, const float* z, float* largest) {
  raise_rows(rows, width, columns, z, largest);
}
void raise_double(Index rows, Index width, Index columns, const double* z, double* largest) {
  raise_rows(rows, width, columns, z, largest);
}
void exponentials_float(Index rows, Index width, Index columns, const float* largest, float* z,
                        double* totals) {
  take_exponentials(rows, width, columns, largest, z, totals);
}
void exponentials_double(Index rows, Index width, Index columns, const double* largest, double* z,
                         double* totals) {
  take_exponentials(rows, width, columns, largest, z, totals);
}
void scale_float(Index rows, Index width, const float* factors, float* z) {
  scale(rows, width, factors, z);
}
void scale_double(Index rows, Index width, const double* factors, double* z) {
  scale(rows, width, factors, z);
}
void bends_float(Index rows, Index width, const float* residuals, double* bends) {
  add_bends(rows, width, residuals, bends);
}
void bends_double(Index rows, Index width, const double* residuals, double* bends) {
  add_bends(rows, width, residuals, bends);
}

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
HWY_EXPORT(bends_float);
HWY_EXPORT(bends_double);

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
void add_softmax_bends(Index rows, Index width, const float* residuals, double* bends) noexcept {
  HWY_DYNAMIC_DISPATCH(bends_float)(rows, width, residuals, bends);
}
void add_softmax_bends(Index rows, Index width, const double* residuals, double* bends) noexcept {
  HWY_DYNAMIC_DISPATCH(bends_double)(rows, width, residuals, bends);
}

}  // namespace mugrad
#endif
