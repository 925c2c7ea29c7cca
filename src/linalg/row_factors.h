// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <limits>
#include <span>
#include <vector>

namespace mugrad {

/// The part that each column of a row is in. `parts` must outlive it.
class PartOfColumn {
 public:
  PartOfColumn() = default;
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

  const ScaledParts::Run* run_ = nullptr;  ///< the next
  const ScaledParts::Run* last_ = nullptr;
  Index part_ = ScaledParts::kNone;
  Index end_ = std::numeric_limits<Index>::max();
};

/// What the entries of a row, besides the factors of their features, are multiplied by, so that its
/// parts have their lengths; 1 in a part that is zero and for columns in no part. Its memory is
/// kept from row to row. Real is double, or long double for rows whose lengths overflow or
/// underflow double.
template <class Real>
class RowFactors {
 public:
  /// Begins a row. `transform` must outlive its use.
  void begin(const FeatureTransform& transform, const Features& x, Index row) {
    part_of_ = PartOfColumn(transform.parts);
    end_ = 0;
    factors_.resize(transform.parts.length.size());
    if (!factors_.empty()) measure(transform, x, row);
  }

  /// Requires: columns never descend from call to call.
  Real of(Index column) noexcept {
    if (column >= end_) enter_part_of(column);
    return factor_;
  }
  /// Columns up to here have the same factor as that of the last call.
  Index end() const noexcept { return end_; }
  /// Of each part.
  std::span<const Real> of_parts() const noexcept { return factors_; }

 private:
  void measure(const FeatureTransform& transform, const Features& x, Index row);
  void enter_part_of(Index column) noexcept {
    const Index part = part_of_(column);
    factor_ = part == ScaledParts::kNone ? Real{1} : factors_[as_size(part)];
    end_ = part_of_.end();
  }

  PartOfColumn part_of_;
  Real factor_ = 1;  ///< of columns up to end_
  Index end_ = 0;
  std::vector<Real> factors_;
  std::vector<Real> largest_;  ///< of each part: the largest entry
  std::vector<Real> squares_;  ///< of each part: their sum, of entries divided by the largest
};

extern template class RowFactors<double>;
extern template class RowFactors<long double>;

}  // namespace mugrad
