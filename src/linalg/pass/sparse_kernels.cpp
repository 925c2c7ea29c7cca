// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"

// This must precede all other includes of Highway.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/pass/sparse_kernels.cpp"
#include "linalg/pass/simd.h"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mugrad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Lanes = hn::ScalableTag<Real>;
template <class Real>
using Vector = hn::Vec<Lanes<Real>>;

/// Number of vectors summed in parallel: as many as the registers hold, and enough to hide the
/// latency of an addition.
constexpr Index kMostVectors = 8;

/// So many entries, or targets, ahead are fetched if they are far: about as many as fit into the
/// time of one access to memory.
constexpr Index kEntriesAhead = 16;
constexpr Index kTargetsAhead = 8;

/// Fetches kVectors vectors from there.
template <std::size_t kVectors, class Stored>
HWY_INLINE void fetch(const Stored* from, std::size_t lanes) {
  constexpr std::size_t kLineEntries = 64 / sizeof(Stored);
  for (std::size_t k = 0; k < kVectors * lanes; k += kLineEntries) __builtin_prefetch(from + k);
}

/// Entries of a panel in the precision of the sums.
template <class Real>
HWY_INLINE Vector<Real> load(Lanes<Real> d, const Real* from) {
  return hn::Load(d, from);
}
HWY_INLINE Vector<double> load(Lanes<double> d, const float* from) {
  return hn::PromoteTo(d, hn::Load(hn::Rebind<float, Lanes<double>>(), from));
}

/// sum += value * panel(column) over the entries of a row, in kVectors vectors. With kFar, later
/// entries are fetched, also those of the next rows.
template <std::size_t kVectors, bool kFar, class Real, class Stored>
HWY_INLINE void add_products(const SparseRows<Real>& rows, Index row,
                             const Stored* HWY_RESTRICT panel, Index width, Vector<Real>* sum) {
  const Lanes<Real> d;
  const std::size_t lanes = hn::Lanes(d);
  const Index end = rows.start[row + 1];
  const Index last = kFar ? rows.start[rows.count] : 0;
  for (Index k = rows.start[row]; k < end; ++k) {
    if (kFar && k + kEntriesAhead < last) {
      fetch<kVectors>(panel + rows.column[k + kEntriesAhead] * width, lanes);
    }
    const auto value = hn::Set(d, rows.value[k]);
    const Stored* const entry = panel + rows.column[k] * width;
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[v] = hn::MulAdd(value, load(d, entry + v * lanes), sum[v]);
    }
  }
}

/// Calls work(vectors, first), with the number of vectors, at most kMost, as a constant; not if
/// there are none.
template <std::size_t kMost, class Work>
HWY_INLINE void work_on_strip(std::size_t vectors, Index first, const Work& work) {
  if constexpr (kMost > 0) {
    if (vectors == kMost) return work(std::integral_constant<std::size_t, kMost>(), first);
    work_on_strip<kMost - 1>(vectors, first, work);
  }
}

/// Calls work(vectors, first) for strips of up to kMostVectors vectors that cover `width`.
template <class Real, class Work>
HWY_INLINE void for_each_strip(Index width, const Work& work) {
  const auto lanes = as_index(hn::Lanes(Lanes<Real>()));
  Index first = 0;
  for (; first + kMostVectors * lanes <= width; first += kMostVectors * lanes) {
    work(std::integral_constant<std::size_t, kMostVectors>(), first);
  }
  work_on_strip<kMostVectors - 1>(as_size((width - first) / lanes), first, work);
}

template <bool kFar, class Real, class Stored>
void multiply(const SparseRows<Real>& rows, const Stored* panel, const Real* offset, Index width,
              Real* out) {
  const Lanes<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  for_each_strip<Real>(width, [&](auto vectors, Index first) HWY_ATTR {
    for (Index i = 0; i < rows.count; ++i) {
      Vector<Real> sum[vectors()];
      for (Index v = 0; v < Index{vectors()}; ++v) {
        sum[v] = hn::Load(d, offset + first + v * lanes);
      }
      add_products<vectors(), kFar>(rows, i, panel + first, width, sum);
      Real* const to = out + i * width + first;
      for (Index v = 0; v < Index{vectors()}; ++v) hn::Store(sum[v], d, to + v * lanes);
    }
  });
}

template <class Real, class Stored>
void multiply_all(const SparseRows<Real>& rows, const Stored* panel, const Real* offset,
                  Index width, Real* out) {
  rows.is_far ? multiply<true>(rows, panel, offset, width, out)
              : multiply<false>(rows, panel, offset, width, out);
}

/// Each row is summed before it is added: this loses the fewest digits over many blocks.
template <class Real>
void add_all(const SparseRows<Real>& rows, const std::int32_t* target, const Real* panel,
             Index width, Real* sums) {
  const Lanes<Real> d;
  const auto lanes = as_index(hn::Lanes(d));
  for_each_strip<Real>(width, [&](auto vectors, Index first) HWY_ATTR {
    for (Index i = 0; i < rows.count; ++i) {
      Vector<Real> sum[vectors()];
      for (Index v = 0; v < Index{vectors()}; ++v) sum[v] = hn::Zero(d);
      if (rows.is_far && i + kTargetsAhead < rows.count) {
        fetch<vectors()>(sums + target[i + kTargetsAhead] * width + first, hn::Lanes(d));
      }
      add_products<vectors(), false>(rows, i, panel + first, width, sum);
      Real* const to = sums + target[i] * width + first;
      for (Index v = 0; v < Index{vectors()}; ++v) {
        hn::Store(hn::Add(hn::Load(d, to + v * lanes), sum[v]), d, to + v * lanes);
      }
    }
  });
}

// HWY_EXPORT takes names, not templates.
constexpr auto& multiply_float = multiply_all<float, float>;
constexpr auto& multiply_double = multiply_all<double, double>;
constexpr auto& multiply_widened = multiply_all<double, float>;
constexpr auto& add_float = add_all<float>;
constexpr auto& add_double = add_all<double>;

}  // namespace
}  // namespace mugrad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mugrad {

HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);
HWY_EXPORT(multiply_widened);
HWY_EXPORT(add_float);
HWY_EXPORT(add_double);

void multiply_rows(const SparseRows<float>& rows, const float* panel, const float* offset,
                   Index width, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply_float)(rows, panel, offset, width, out);
}
void multiply_rows(const SparseRows<double>& rows, const double* panel, const double* offset,
                   Index width, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply_double)(rows, panel, offset, width, out);
}
void multiply_rows(const SparseRows<double>& rows, const float* panel, const double* offset,
                   Index width, double* out) noexcept {
  HWY_DYNAMIC_DISPATCH(multiply_widened)(rows, panel, offset, width, out);
}
void add_rows(const SparseRows<float>& rows, const std::int32_t* target, const float* panel,
              Index width, float* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(add_float)(rows, target, panel, width, sums);
}
void add_rows(const SparseRows<double>& rows, const std::int32_t* target, const double* panel,
              Index width, double* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(add_double)(rows, target, panel, width, sums);
}

}  // namespace mugrad
#endif
