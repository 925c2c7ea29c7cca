// SPDX-License-Identifier: MIT
#pragma once

#include "data/gaussian_expansion.h"
#include "linalg/pass/panels.h"
#include "linalg/row_factors.h"

#include <mugrad/linalg/features.h>
#include <mugrad/model/model.h>

#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace mugrad {

class ThreadPool;

/// Rows [begin, end) of features.
struct RowRange {
  const Features& x;
  Index begin, end;
  Index before = 0;  ///< rows before those of x, for messages

  Index count() const noexcept { return end - begin; }
};

/// The linear scores of a model, one block of rows and one panel of columns at a time. Weights are
/// in the order of the kernels and in their stored precision. Several threads may use one
/// PanelScores, each with its own scratch.
class PanelScores {
 public:
  /// Rows per block: enough to reuse a panel many times before the next one replaces it, few enough
  /// for their scores to stay in the second-level cache.
  static constexpr Index kBlockRows = 256;
  /// Columns of a panel. Eight vectors side by side hide the latency of an addition.
  static constexpr Index kMostColumns = 8 * kLine<double>;

  /// The scratch memory of a thread.
  struct Scratch {
    std::vector<double> values;  ///< transformed features of a block
    std::vector<Index> starts;   ///< the start of each row, then the end of the last
    RowFactors<double> of_row;
    RowFactors<long double> of_wide_row;
    AlignedBuffer<double> z;  ///< scores of a block for one panel, row by row
    std::vector<double> squared_lengths;
    // For Gaussian features.
    GaussianExpansion::Scratch expansion;
    std::vector<double> expanded;
    Features expanded_rows;  ///< a view of `expanded`
  };

  PanelScores(const Model& model, ThreadPool& pool);

  /// Of the rows that are given.
  Index features() const noexcept { return expansion_ ? expansion_->input_features() : features_; }
  const Panels& panels() const noexcept { return panels_; }

  Scratch scratch() const;
  /// Reserves scratch memory for blocks of up to `most` of these rows.
  void make_room(const RowRange& rows, Index most, Scratch& scratch) const;

  /// Begins a block of at most kBlockRows rows and transforms them into scratch. Returns the rows
  /// that the other functions must be called with, which include Gaussian features. Throws
  /// UsageError if the columns of a row are not ascending or out of range.
  RowRange begin(const RowRange& block, Scratch& scratch) const;
  /// Scores the block for a panel into scratch.z, whose rows are as wide as the panel.
  void multiply(const RowRange& block, Index panel, Scratch& scratch) const;
  /// Computes the lengths of the transformed rows; zeros become what the shift makes of them.
  void measure_lengths(const RowRange& block, Scratch& scratch) const;

  /// A transformed row; features that are not listed are 0. Real is double or long double, and
  /// `of_row` is scratch memory.
  template <class Real>
  void scale_row(const Features& x, Index row, RowFactors<Real>& of_row,
                 std::vector<FeatureId>& features, std::vector<Real>& values) const;

  /// The scores of one row for all columns, if its sums overflow double; returns its squared
  /// length.
  /// Requires: `begin` was called for the row.
  long double multiply_wide(const Features& x, Index row, RowFactors<long double>& of_row,
                            std::span<long double> z) const;

 private:
  double factor(std::size_t k) const noexcept {
    return transform_.factor.empty() ? 1 : transform_.factor[k];
  }
  double shift(std::size_t k) const noexcept {
    return transform_.shift.empty() ? 0 : transform_.shift[k];
  }
  RowRange expanded(const RowRange& block, Scratch& scratch) const;
  /// The transformed value of a zero, except for its sign.
  double zero(std::size_t k) const noexcept { return shift(k) * factor(k); }
  template <class Real>
  void pack(const Matrix<Real>& weights, ThreadPool& pool);
  template <class Real>
  void transform(const CsrView<Real>& x, const RowRange& block, Scratch& scratch) const;
  template <class Real>
  void transform(const DenseView<Real>& x, const RowRange& block, Scratch& scratch) const;

  Index features_;  ///< as represented
  std::optional<GaussianExpansion> expansion_;
  Panels panels_;
  FeatureTransform transform_;
  std::variant<AlignedBuffer<float>, AlignedBuffer<double>> weights_;
  AlignedBuffer<double> dense_offsets_;  ///< the intercepts
  /// Including the contribution of the shift to a row of zeros.
  AlignedBuffer<double> sparse_offsets_;
  double zero_squared_length_ = 0;  ///< of a row of zeros, transformed
  std::vector<FeatureId> every_feature_;
};

}  // namespace mugrad
