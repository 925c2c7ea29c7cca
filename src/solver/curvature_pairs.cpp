// SPDX-License-Identifier: MIT
#include "solver/curvature_pairs.h"

#include "linalg/pass/kernels.h"
#include "solver/keep_entries.h"

#include <array>
#include <cmath>

namespace mugrad {

template <class Real>
void CurvaturePairs<Real>::begin(Index rows, Index cols, Grouping grouping,
                                 std::span<const double> weights) {
  cols_ = cols;
  grouping_ = grouping;
  weights_.assign(weights.begin(), weights.end());
  added_ = 0;
  for (auto* matrices : {&moves_, &changes_}) {
    matrices->resize(kMost);
    for (auto& matrix : *matrices) matrix.resize(rows, cols);
  }
  turned_.resize(rows, cols);
  preconditioned_.resize(rows, cols);
  part_sums_.resize(RowParts(rows, cols).count(), kMost * cols);
  const auto columns = as_size(cols);
  products_.resize(kMost * kMost * columns);
  for (auto* numbers : {&move_slopes_, &inverse_, &first_, &second_}) {
    numbers->resize(kMost * columns);
  }
  factors_.resize(kMost * columns);
  dots_.resize(kMost * columns);
}

template <class Real>
double CurvaturePairs<Real>::bytes(Index rows, Index cols) noexcept {
  constexpr auto kEach = static_cast<double>(kMost);
  constexpr double kMatrices = 2 * kEach + 2;  // including turned_ and preconditioned_
  const auto parts = static_cast<double>(RowParts(rows, cols).count());
  const double per_column = (kEach * (parts + kEach + 5)) * sizeof(double) + kEach * sizeof(Real);
  return static_cast<double>(cols) *
         (kMatrices * static_cast<double>(rows) * sizeof(Real) + per_column);
}

template <class Real>
void CurvaturePairs<Real>::dot_all(std::span<const Matrix<Real>* const> matrices,
                                   const Matrix<Real>& with) {
  const auto columns = as_size(cols_);
  const auto sums = std::span(dots_).first(matrices.size() * columns);
  const RowParts parts(with.rows(), cols_);
  parts.for_each(pool_, [&](Index part, Index begin, Index end) {
    const auto own = part_sums_.cleared(part);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      add_column_dots(*matrices[i], with, begin, end, own.subspan(i * columns, columns));
    }
  });
  part_sums_.add_up(parts.count(), sums);
  if (grouping_ == Grouping::each) return;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto row = sums.subspan(i * columns, columns);
    double total = 0;
    for (std::size_t t = 0; t < columns; ++t) {
      total += (weights_.empty() ? 1 : weights_[t]) * row[t];
    }
    std::ranges::fill(row, total);
  }
}

template <class Real>
void CurvaturePairs<Real>::measure() {
  const Index older = std::min<Index>(added_, kMost - 1);
  std::array<const Matrix<Real>*, kMost> moves{&moves_[next_slot()]};
  for (Index age = 0; age < older; ++age) {
    moves[as_size(age) + 1] = &moves_[slot(age)];
  }
  dot_all(std::span(moves).first(as_size(older) + 1), changes_[next_slot()]);
  std::copy_n(of(dots_, 0), cols_, product(next_slot(), next_slot()));
  for (Index age = 0; age < older; ++age) {
    std::copy_n(of(dots_, as_size(age) + 1), cols_, product(slot(age), next_slot()));
  }
}

template <class Real>
std::span<const double> CurvaturePairs<Real>::change_along_move() const noexcept {
  return std::span(dots_).first(as_size(cols_));
}

template <class Real>
void CurvaturePairs<Real>::add(std::span<const double> slopes, std::span<const char> accepted) {
  // Less curvature than this, relative to what would make the slope vanish, counts as rounding.
  constexpr double kLeast = 1e-6;
  const std::size_t next = next_slot();
  const double* const along = product(next, next);
  for (Index age = 0; age < std::min<Index>(added_, kMost - 1); ++age) {
    const double* const change = product(slot(age), next);
    double* const slope = of(move_slopes_, slot(age));
    for (std::size_t t = 0; t < slopes.size(); ++t) slope[t] += accepted[t] ? change[t] : 0;
  }
  for (std::size_t t = 0; t < slopes.size(); ++t) {
    const bool useful = std::isfinite(along[t]) && along[t] > kLeast * std::fabs(slopes[t]);
    of(inverse_, next)[t] = useful ? 1 / along[t] : 0;
    of(move_slopes_, next)[t] = slopes[t] + (accepted[t] ? along[t] : 0);
  }
  ++added_;
}

template <class Real>
void CurvaturePairs<Real>::compute_first_factors() {
  for (Index age = 0; age < count(); ++age) {
    const std::size_t i = slot(age);
    double* const factor = of(first_, i);
    std::copy_n(of(move_slopes_, i), cols_, factor);
    for (Index newer = 0; newer < age; ++newer) {
      const double* const other = of(first_, slot(newer));
      const double* const along = product(i, slot(newer));
      for (Index t = 0; t < cols_; ++t) factor[t] -= other[t] * along[t];
    }
    for (Index t = 0; t < cols_; ++t) {
      const double inverse = of(inverse_, i)[t];
      factor[t] = inverse == 0 ? 0 : inverse * factor[t];
    }
  }
}

/// From dots_ = y_i . P^-1 q, by age.
template <class Real>
void CurvaturePairs<Real>::compute_second_factors() {
  for (Index age = count() - 1; age >= 0; --age) {
    const std::size_t i = slot(age);
    double* const along = of(dots_, as_size(age));
    for (Index older = age + 1; older < count(); ++older) {
      const double* const factor = of(second_, slot(older));
      const double* const change = product(slot(older), i);
      for (Index t = 0; t < cols_; ++t) along[t] += factor[t] * change[t];
    }
    for (Index t = 0; t < cols_; ++t) {
      const double inverse = of(inverse_, i)[t];
      of(second_, i)[t] = inverse == 0 ? 0 : of(first_, i)[t] - inverse * along[t];
    }
  }
}

template <class Real>
void CurvaturePairs<Real>::round_factors(const std::vector<double>& factors, double sign) {
  for (Index age = 0; age < count(); ++age) {
    const double* const from = factors.data() + slot(age) * as_size(cols_);
    Real* const to = factors_.data() + age * cols_;
    for (Index t = 0; t < cols_; ++t) to[t] = static_cast<Real>(sign * from[t]);
  }
}

template <class Real>
void CurvaturePairs<Real>::direction(const Matrix<Real>& field,
                                     Preconditioner<Real>& preconditioner,
                                     std::span<const char> wanted, Matrix<Real>& direction,
                                     std::span<double> slopes) {
  const auto columns = as_size(cols_);
  const RowParts parts(field.rows(), cols_);
  const auto by_age = [&](const std::vector<Matrix<Real>>& matrices) {
    std::array<const Matrix<Real>*, kMost> pointers{};
    for (Index age = 0; age < count(); ++age) {
      pointers[as_size(age)] = &matrices[slot(age)];
    }
    return pointers;
  };
  const auto moves = by_age(moves_);
  const auto changes = by_age(changes_);
  const auto filled = as_size(count());

  compute_first_factors();
  round_factors(first_, -1);
  parts.for_each(pool_, [&](Index, Index begin, Index end) {
    std::copy_n(field.row(begin).data(), (end - begin) * cols_, turned_.row(begin).data());
    add_scaled_columns<Real>(std::span(changes).first(filled), factors_, begin, end, turned_);
  });
  preconditioner.apply(turned_, preconditioned_);
  dot_all(std::span(changes).first(filled), preconditioned_);
  compute_second_factors();
  round_factors(second_, 1);
  parts.for_each(pool_, [&](Index, Index begin, Index end) {
    add_scaled_columns<Real>(std::span(moves).first(filled), factors_, begin, end, preconditioned_);
    for (Index k = begin; k < end; ++k) {
      const auto from = preconditioned_.row(k);
      const auto to = direction.row(k);
      for (std::size_t t = 0; t < columns; ++t) to[t] = wanted[t] ? -from[t] : to[t];
    }
  });
  // The formula also gives the slopes, but with rounding they differ from those of the direction.
  const Matrix<Real>* const along = &field;
  dot_all({&along, 1}, direction);
  for (std::size_t t = 0; t < columns; ++t) {
    if (wanted[t]) slopes[t] = dots_[t];
  }
}

template <class Real>
void CurvaturePairs<Real>::forget(Index column) noexcept {
  for (std::size_t i = 0; i < as_size(kMost); ++i) of(inverse_, i)[column] = 0;
}

template <class Real>
void CurvaturePairs<Real>::keep_columns(std::span<const Index> kept) {
  for (auto* matrices : {&moves_, &changes_}) {
    for (auto& matrix : *matrices) matrix.keep_columns(kept);
  }
  turned_.keep_columns(kept);
  preconditioned_.keep_columns(kept);
  for (auto* numbers : {&products_, &move_slopes_, &inverse_, &first_, &second_}) {
    keep_entries(*numbers, kept, as_size(cols_));
  }
  if (!weights_.empty()) keep_entries(weights_, kept);
  cols_ = std::ssize(kept);
  factors_.resize(as_size(kMost * cols_));
  dots_.resize(as_size(kMost * cols_));
}

template class CurvaturePairs<float>;
template class CurvaturePairs<double>;

}  // namespace mugrad
