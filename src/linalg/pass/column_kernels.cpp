// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"

#include <algorithm>
#include <cassert>

// This must precede all other includes of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/pass/column_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Remaining columns are processed in narrower and narrower vectors: loading past the end of a row
/// is not safe on every machine, even with a mask. The result of a column does not depend on the
/// width.
template <class Real>
constexpr std::size_t kWidest = HWY_LANES(Real);

/// The products of kVectors vectors of columns, summed over `rows` rows.
template <std::size_t kVectors, class D, class Real>
HWY_INLINE void sum_products(D d, Index rows, Index stride, const Real* HWY_RESTRICT a,
                             const Real* HWY_RESTRICT b, double* sums) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> sum[kVectors];
  for (auto& vector : sum) vector = hn::Zero(d);
  for (Index k = 0; k < rows; ++k, a += stride, b += stride) {
    for (std::size_t i = 0; i < kVectors; ++i) {
      sum[i] = hn::MulAdd(hn::LoadU(d, a + i * lanes), hn::LoadU(d, b + i * lanes), sum[i]);
    }
  }
  HWY_ALIGN Real entries[kVectors * kWidest<Real>];
  for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(sum[i], d, entries + i * lanes);
  for (std::size_t t = 0; t < kVectors * lanes; ++t) sums[t] += static_cast<double>(entries[t]);
}

/// For the columns from t on.
template <std::size_t kLanes, class Real>
HWY_INLINE void sum_columns(Index rows, Index cols, Index t, const Real* a, const Real* b,
                            double* sums) {
  constexpr std::size_t kVectors = 4;
  constexpr auto kOne = as_index(kLanes);
  constexpr auto kMany = as_index(kVectors) * kOne;
  const hn::CappedTag<Real, kLanes> d;
  for (; cols - t >= kMany; t += kMany) {
    sum_products<kVectors>(d, rows, cols, a + t, b + t, sums + t);
  }
  for (; cols - t >= kOne; t += kOne) sum_products<1>(d, rows, cols, a + t, b + t, sums + t);
  if constexpr (kLanes > 1) sum_columns<kLanes / 2>(rows, cols, t, a, b, sums);
}

template <class Real>
void dots(Index rows, Index cols, const Real* a, const Real* b, double* sums) {
  constexpr Index kRows = 64;  // products are summed over these before conversion to double
  for (Index first = 0; first < rows; first += kRows) {
    sum_columns<kWidest<Real>>(std::min(kRows, rows - first), cols, 0, a + first * cols,
                               b + first * cols, sums);
  }
}

/// For the columns from t on, in the row at `offset`.
template <std::size_t kLanes, class Real>
HWY_INLINE void add_scaled_row(std::span<const Matrix<Real>* const> terms, Index offset, Index cols,
                               Index t, const Real* HWY_RESTRICT factors, Real* HWY_RESTRICT to) {
  constexpr auto kOne = as_index(kLanes);
  const hn::CappedTag<Real, kLanes> d;
  for (; cols - t >= kOne; t += kOne) {
    auto sum = hn::LoadU(d, to + t);
    const Real* factor = factors + t;
    for (const Matrix<Real>* const term : terms) {
      sum = hn::MulAdd(hn::LoadU(d, factor), hn::LoadU(d, term->data() + offset + t), sum);
      factor += cols;
    }
    hn::StoreU(sum, d, to + t);
  }
  if constexpr (kLanes > 1) add_scaled_row<kLanes / 2>(terms, offset, cols, t, factors, to);
}

template <class Real>
void add_scaled(std::span<const Matrix<Real>* const> terms, const Real* factors, Index begin,
                Index end, Matrix<Real>& to) {
  const Index cols = to.cols();
  for (Index k = begin; k < end; ++k) {
    add_scaled_row<kWidest<Real>>(terms, k * cols, cols, 0, factors, to.data() + k * cols);
  }
}

// HWY_EXPORT takes names, not templates.
constexpr auto& dots_float = dots<float>;
constexpr auto& dots_double = dots<double>;
constexpr auto& add_scaled_float = add_scaled<float>;
constexpr auto& add_scaled_double = add_scaled<double>;

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
void add_scaled(std::span<const Matrix<float>* const> terms, const float* factors, Index begin,
                Index end, Matrix<float>& to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_scaled_float)(terms, factors, begin, end, to);
}
void add_scaled(std::span<const Matrix<double>* const> terms, const double* factors, Index begin,
                Index end, Matrix<double>& to) noexcept {
  HWY_DYNAMIC_DISPATCH(add_scaled_double)(terms, factors, begin, end, to);
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
void add_scaled_columns(std::span<const Matrix<Real>* const> terms, std::span<const Real> factors,
                        Index begin, Index end, Matrix<Real>& to) noexcept {
  assert(factors.size() >= terms.size() * as_size(to.cols()));
  add_scaled(terms, factors.data(), begin, end, to);
}

template decltype(add_column_dots<float>) add_column_dots<float>;
template decltype(add_column_dots<double>) add_column_dots<double>;
template decltype(add_scaled_columns<float>) add_scaled_columns<float>;
template decltype(add_scaled_columns<double>) add_scaled_columns<double>;

}  // namespace mugrad
#endif
