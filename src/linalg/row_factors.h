// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace mugrad {

/// The part that each column of a row is in. `parts` must outlive it.
class PartOfColumn {
 public:
  explicit PartOfColumn(const ScaledParts& parts) noexcept
      : run_(parts.runs.data()), last_(run_ + parts.runs.size()) {
    advance();
  }

  /// The part, or ScaledParts::kNone. Requires: columns never descend from call to call.
  Index operator()(Index column) noexcept {
    while (column >= end_) advance();
    return part_;
  }
  /// Columns up to here are in the same part as that of the last call.
  Index end() const noexcept { return end_; }

 private:
  void advance() noexcept {
    if (run_ == last_) {
      part_ = ScaledParts::kNone;
      end_ = std::numeric_limits<Index>::max();
      return;
    }
    part_ = run_->part;
    end_ = run_->end;
    ++run_;
  }

  const ScaledParts::Run* run_;  ///< the next
  const ScaledParts::Run* last_;
  Index part_ = ScaledParts::kNone;
  Index end_ = 0;
};

/// Calls fn(part, columns, values) for all entries of a row, in pieces within a part each, so that
/// loops over a piece are as tight as over a row. columns(k) is the column of entry k of a piece.
template <class Real, class Function>
void for_each_piece(const ScaledParts& parts, const DenseView<Real>& x, Index row,
                    const Function& fn) {
  PartOfColumn part_of(parts);
  for (Index begin = 0; begin < x.cols;) {
    const Index part = part_of(begin);
    const Index end = std::min(part_of.end(), x.cols);
    fn(
        part, [begin](std::size_t k) { return as_size(begin) + k; },
        x.row(row).subspan(as_size(begin), as_size(end - begin)));
    begin = end;
  }
}
template <class Real, class Function>
void for_each_piece(const ScaledParts& parts, const CsrView<Real>& x, Index row,
                    const Function& fn) {
  PartOfColumn part_of(parts);
  auto columns = x.row_columns(row);
  auto values = x.row_values(row);
  while (!columns.empty()) {
    const Index part = part_of(columns.front());
    const std::size_t count =
        part_of.end() > columns.back()
            ? columns.size()
            : as_size(std::ranges::lower_bound(columns, part_of.end()) - columns.begin());
    fn(
        part, [at = columns.data()](std::size_t k) { return as_size(at[k]); }, values.first(count));
    columns = columns.subspan(count);
    values = values.subspan(count);
  }
}

/// What the entries of a row, besides the factors of their features, are multiplied by, so that its
/// parts have their lengths; 1 in a part that is zero and for columns in no part. Its memory is
/// kept from row to row. Real is double, or long double for rows whose lengths overflow or
/// underflow double.
template <class Real>
class RowFactors {
 public:
  /// Begins a row.
  void begin(const FeatureTransform& transform, const Features& x, Index row) {
    factors_.resize(transform.parts.length.size());
    if (!factors_.empty()) measure(transform, x, row);
  }

  /// Requires: `begin` was called.
  Real of_part(Index part) const noexcept {
    return part == ScaledParts::kNone ? Real{1} : factors_[as_size(part)];
  }
  /// Of each part.
  std::span<const Real> of_parts() const noexcept { return factors_; }

 private:
  void measure(const FeatureTransform& transform, const Features& x, Index row);

  std::vector<Real> factors_;
  std::vector<Real> largest_;  ///< of each part: the largest entry
  std::vector<Real> squares_;  ///< of each part: their sum, of entries divided by the largest
};

extern template class RowFactors<double>;
extern template class RowFactors<long double>;

/// Calls fn(column, value, factor) for the entries of a row with their row factors. `of_row` is
/// scratch memory.
template <class Real, class View, class Function>
void for_each_with_factor(const FeatureTransform& transform, const Features& x, const View& view,
                          Index row, RowFactors<Real>& of_row, const Function& fn) {
  of_row.begin(transform, x, row);
  for_each_piece(transform.parts, view, row,
                 [&](Index part, const auto& column, const auto& values) {
                   const Real factor = of_row.of_part(part);
                   for (std::size_t k = 0; k < values.size(); ++k) {
                     fn(column(k), static_cast<double>(values[k]), factor);
                   }
                 });
}
template <class Real, class Function>
void for_each_with_factor(const FeatureTransform& transform, const Features& x, Index row,
                          RowFactors<Real>& of_row, const Function& fn) {
  x.visit([&](const auto& view) { for_each_with_factor(transform, x, view, row, of_row, fn); });
}

}  // namespace mugrad
