// SPDX-License-Identifier: MIT
#include "linalg/column_kernels.h"

#include <algorithm>
#include <cassert>

// The targets are chosen first, and go before all else of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/column_kernels.cpp"
#include "linalg/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The products of kVectors vectors of columns, summed over `rows` rows, the last vector masked.
template <std::size_t kVectors, class Real>
HWY_INLINE void sum_products(Index rows, Index stride, const Real* HWY_RESTRICT a,
                             const Real* HWY_RESTRICT b, std::size_t columns, double* sums) {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto mask = hn::FirstN(d, columns - (kVectors - 1) * lanes);
  hn::Vec<hn::ScalableTag<Real>> sum[kVectors];
  for (auto& vector : sum) vector = hn::Zero(d);
  for (Index k = 0; k < rows; ++k, a += stride, b += stride) {
    for (std::size_t i = 0; i + 1 < kVectors; ++i) {
      sum[i] = hn::MulAdd(hn::LoadU(d, a + i * lanes), hn::LoadU(d, b + i * lanes), sum[i]);
    }
    constexpr std::size_t kLast = kVectors - 1;
    sum[kLast] = hn::MulAdd(hn::MaskedLoad(mask, d, a + kLast * lanes),
                            hn::MaskedLoad(mask, d, b + kLast * lanes), sum[kLast]);
  }
  HWY_ALIGN Real entries[kVectors * HWY_LANES(Real)];
  for (std::size_t i = 0; i < kVectors; ++i) hn::Store(sum[i], d, entries + i * lanes);
  for (std::size_t t = 0; t < columns; ++t) sums[t] += static_cast<double>(entries[t]);
}

template <class Real>
HWY_INLINE void dots(Index rows, Index cols, const Real* a, const Real* b, double* sums) {
  constexpr Index kRows = 64;  // whose products are summed before they go to double
  constexpr std::size_t kVectors = 4;
  const auto lanes = static_cast<Index>(hn::Lanes(hn::ScalableTag<Real>()));
  for (Index first = 0; first < rows; first += kRows) {
    const Index count = std::min(kRows, rows - first);
    Index t = 0;
    const auto add = [&](auto vectors, Index columns) HWY_ATTR {
      sum_products<vectors.value>(count, cols, a + first * cols + t, b + first * cols + t,
                                  static_cast<std::size_t>(columns), sums + t);
      t += columns;
    };
    const Index wide = static_cast<Index>(kVectors) * lanes;
    while (cols - t >= wide) add(std::integral_constant<std::size_t, kVectors>(), wide);
    while (t < cols) add(std::integral_constant<std::size_t, 1>(), std::min(lanes, cols - t));
  }
}

template <class Real>
HWY_INLINE void add_scaled(Index rows, Index cols, const Real* HWY_RESTRICT a,
                           const Real* HWY_RESTRICT factors, Real* HWY_RESTRICT to) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < rows; ++k, a += cols, to += cols) {
    Index t = 0;
    for (; t + lanes <= cols; t += lanes) {
      const auto sum =
          hn::MulAdd(hn::LoadU(d, factors + t), hn::LoadU(d, a + t), hn::LoadU(d, to + t));
      hn::StoreU(sum, d, to + t);
    }
    for (; t < cols; ++t) to[t] += factors[t] * a[t];
  }
}

void dots_float(Index rows, Index cols, const float* a, const float* b, double* sums) {
  dots(rows, cols, a, b, sums);
}
void dots_double(Index rows, Index cols, const double* a, const double* b, double* sums) {
  dots(rows, cols, a, b, sums);
}
void add_scaled_float(Index rows, Index cols, const float* a, const float* factors, float* to) {
  add_scaled(rows, cols, a, factors, to);
}
void add_scaled_double(Index rows, Index cols, const double* a, const double* factors, double* to) {
  add_scaled(rows, cols, a, factors, to);
}

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(dots_float);
HWY_EXPORT(dots_double);
HWY_EXPORT(add_scaled_float);
HWY_EXPORT(add_scaled_double);

namespace {

void dots(Index rows, Index cols, const float* a, const float* b, double* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(dots_float)(rows, cols, a, b, sums);
}
void dots(Index rows, Index cols, const double* a, const double* b, double* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(dots_double)(rows, cols, a, b, sums);
}
void add_scaled(Index rows, Index cols, const float* a, const float* factors, float* to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_scaled_float)(rows, cols, a, factors, to);
}
void add_scaled(Index rows, Index cols, const double* a, const double* factors,
                double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_scaled_double)(rows, cols, a, factors, to);
}

}  // namespace

template <class Real>
void add_column_dots(const Matrix<Real>& a, const Matrix<Real>& b, Index begin, Index end,
                     std::span<double> sums) noexcept {
  assert(b.cols() == a.cols() && std::ssize(sums) == a.cols());
  const Index offset = begin * a.cols();
  dots(end - begin, a.cols(), a.data() + offset, b.data() + offset, sums.data());
}

template <class Real>
void add_scaled_columns(const Matrix<Real>& a, std::span<const Real> factors, Index begin,
                        Index end, Matrix<Real>& to) noexcept {
  assert(to.cols() == a.cols() && std::ssize(factors) == a.cols());
  const Index offset = begin * a.cols();
  add_scaled(end - begin, a.cols(), a.data() + offset, factors.data(), to.data() + offset);
}

template void add_column_dots(const Matrix<float>&, const Matrix<float>&, Index, Index,
                              std::span<double>) noexcept;
template void add_column_dots(const Matrix<double>&, const Matrix<double>&, Index, Index,
                              std::span<double>) noexcept;
template void add_scaled_columns(const Matrix<float>&, std::span<const float>, Index, Index,
                                 Matrix<float>&) noexcept;
template void add_scaled_columns(const Matrix<double>&, std::span<const double>, Index, Index,
                                 Matrix<double>&) noexcept;

}  // namespace mugrad
#endif
