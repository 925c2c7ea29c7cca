// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/panels.h"

#include <mugrad/data/representation.h>
#include <mugrad/linalg/features.h>

#include <cstdint>
#include <vector>

namespace mugrad {

/// A matrix laid out for products with rows, whose sums do not depend on the other rows.
class PackedMatrix {
 public:
  explicit PackedMatrix(const Matrix<double>& matrix);

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return panels_.columns; }
  /// The distance of two rows of a product.
  Index stride() const noexcept { return panels_.padded(); }
  /// out = a * matrix for `count` rows of a, `distance` apart. Requires: `out` starts on a cache
  /// line and has `count` times stride() entries.
  void multiply(Index count, const double* a, Index distance, double* out) const noexcept;

 private:
  Index rows_;
  Panels panels_;
  std::vector<Index> heights_;  ///< of each panel: the rows up to the last one that is not zero
  AlignedBuffer<double> entries_;
  AlignedBuffer<double> zeros_;  ///< a row of a panel
  std::vector<std::int32_t> every_row_;
};

/// Appends Gaussian features to rows: [x | g(x)]. Several threads may use it, each with its own
/// scratch.
class GaussianExpansion {
 public:
  /// The scratch memory of a thread.
  struct Scratch {
    AlignedBuffer<double> z, similarities, products;
    std::vector<double> squared_lengths;
  };

  /// Requires: the representation has Gaussian features.
  explicit GaussianExpansion(const Representation& representation);
  /// The bytes that it holds.
  static double bytes(Index features, Index centres) noexcept;

  /// Of the rows before the expansion, and after it.
  Index input_features() const noexcept { return features_; }
  Index features() const noexcept { return features_ + projection_.cols(); }

  /// Rows [begin, end) of x, dense, features() numbers each. The features of a row too far away for
  /// doubles are 0. Requires: the columns of sparse rows are in range.
  void expand(const Features& x, Index begin, Index end, double* out, Scratch& scratch) const;

 private:
  Index features_;
  FeatureTransform zscores_;
  double decay_;
  std::vector<double> squared_lengths_;  ///< of the centres
  PackedMatrix centres_;                 ///< features x centres
  PackedMatrix projection_;
};

}  // namespace mugrad
