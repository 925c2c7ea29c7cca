// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/panels.h"

#include <mugrad/linalg/feature_transform.h>
#include <mugrad/linalg/features.h>
#include <mugrad/model/model.h>

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace mugrad {

class ThreadPool;

/// Rows [begin, end) of features.
struct RowRange {
  const Features& x;
  Index begin, end;

  Index count() const noexcept { return end - begin; }
};

/// The linear scores of a model, a block of rows and a panel of columns at a time: weights in the
/// order the kernels want, in the precision they are stored in. Many threads may use one, each with
/// a scratch of its own.
class PanelScores {
 public:
  /// Rows that go through one panel after the other: enough for a panel to be met many times
  /// before it makes room for the next, few enough for their scores to stay in the second cache.
  static constexpr Index kBlockRows = 256;
  /// Columns of a panel. Eight vectors side by side hide how long one addition takes.
  static constexpr Index kMostColumns = 8 * kLine<double>;

  /// What a thread works with.
  struct Scratch {
    std::vector<double> values;  ///< transformed features of a block
    std::vector<Index> starts;   ///< where each row's begin, and the last one's end
    AlignedBuffer<double> z;     ///< scores of a block for one panel, row by row
    std::vector<double> squared_lengths;
  };

  PanelScores(const Model& model, ThreadPool& pool);

  Index features() const noexcept { return features_; }
  const Panels& panels() const noexcept { return panels_; }

  Scratch scratch() const;
  /// Lets the scratch hold what blocks of `most` of these rows take.
  void make_room(const RowRange& rows, Index most, Scratch& scratch) const;

  /// Begins a block, of kBlockRows rows at most: scratch holds its rows transformed. Throws
  /// UsageError when the columns of one do not ascend, or are not all there.
  void begin(const RowRange& block, Scratch& scratch) const;
  /// The scores of the block for a panel, into scratch.z, whose rows are as wide as the panel.
  void multiply(const RowRange& block, Index panel, Scratch& scratch) const;
  /// Those of the rows as they are transformed; zeros are what the shift makes of them.
  void measure_lengths(const RowRange& block, Scratch& scratch) const;

  /// A row as it is transformed: the features that are not listed are 0. Real is double or long
  /// double.
  template <class Real>
  void scale_row(const Features& x, Index row, std::vector<FeatureId>& features,
                 std::vector<Real>& values) const;

  /// The scores of one row for all columns, for a row with which the sums leave the range of
  /// double; returns its squared length. Requires: `begin` has seen the row.
  long double multiply_wide(const Features& x, Index row, std::span<long double> z) const;

 private:
  double factor(std::size_t k) const noexcept {
    return transform_.factor.empty() ? 1 : transform_.factor[k];
  }
  double shift(std::size_t k) const noexcept {
    return transform_.shift.empty() ? 0 : transform_.shift[k];
  }
  /// What a zero becomes, but for its sign.
  double zero(std::size_t k) const noexcept { return shift(k) * factor(k); }
  template <class Real>
  void pack(const Matrix<Real>& weights, ThreadPool& pool);
  template <class Real>
  void transform(const CsrView<Real>& x, const RowRange& block, Scratch& scratch) const;
  template <class Real>
  void transform(const DenseView<Real>& x, const RowRange& block, Scratch& scratch) const;

  Index features_;
  Panels panels_;
  FeatureTransform transform_;
  std::variant<AlignedBuffer<float>, AlignedBuffer<double>> weights_;
  AlignedBuffer<double> dense_offsets_;   ///< the intercepts
  AlignedBuffer<double> sparse_offsets_;  ///< with what the shift makes of a row of zeros
  double zero_squared_length_ = 0;        ///< of a row of zeros, transformed
  std::vector<FeatureId> every_feature_;
};

}  // namespace mugrad
