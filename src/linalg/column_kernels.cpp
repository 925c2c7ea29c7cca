// SPDX-License-Identifier: MIT
#include "linalg/column_kernels.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace mugrad {
namespace {

constexpr std::size_t kLanes = 16;  ///< columns summed at a time, in registers
constexpr Index kRows = 64;         ///< whose products are summed before they go to double

}  // namespace

template <class Real>
void add_column_dots(const Matrix<Real>& a, const Matrix<Real>& b, Index begin, Index end,
                     std::span<double> sums) noexcept {
  const auto cols = static_cast<std::size_t>(a.cols());
  assert(b.cols() == a.cols() && sums.size() == cols);
  for (Index first = begin; first < end; first += kRows) {
    const Index last = std::min(first + kRows, end);
    for (std::size_t t = 0; t < cols; t += kLanes) {
      const std::size_t lanes = std::min(kLanes, cols - t);
      const Real* from = a.data() + first * a.cols() + t;
      const Real* with = b.data() + first * a.cols() + t;
      std::array<Real, kLanes> sum{};
      for (Index k = first; k < last; ++k, from += cols, with += cols) {
        if (lanes == kLanes) {
          for (std::size_t l = 0; l < kLanes; ++l) sum[l] += from[l] * with[l];
        } else {
          for (std::size_t l = 0; l < lanes; ++l) sum[l] += from[l] * with[l];
        }
      }
      for (std::size_t l = 0; l < lanes; ++l) sums[t + l] += static_cast<double>(sum[l]);
    }
  }
}

template <class Real>
void add_scaled_columns(const Matrix<Real>& a, std::span<const Real> factors, Index begin,
                        Index end, Matrix<Real>& to) noexcept {
  for (Index k = begin; k < end; ++k) {
    const Real* __restrict from = a.row(k).data();
    Real* __restrict sum = to.row(k).data();
    for (std::size_t t = 0; t < factors.size(); ++t) sum[t] += factors[t] * from[t];
  }
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
