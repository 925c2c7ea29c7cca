// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/panels.h"

#include <mugrad/core/progress.h>
#include <mugrad/linalg/features.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// A row that was found for a query.
struct NearRow {
  double closeness;  ///< u.y - |y|^2 / 2 for a query u: the nearest row y has the largest
  Index row;
};

/// A few queries side by side, and the rows found for each. Its memory is kept from use to use.
class NearestQueries {
 public:
  /// Begins `count` queries that are all zero and want `wanted` rows each.
  void begin(Index features, Index count, Index wanted);
  void set(Index query, Index feature, double value) noexcept {
    panel_.data()[feature * width_ + query] = value;
  }
  /// The query was multiplied by this, a positive number, to stay in the range of double.
  void set_factor(Index query, double factor) noexcept { factor_[as_size(query)] = factor; }

  Index count() const noexcept { return count_; }
  /// The nearest rows, in no order. Requires: NearestRows::find has looked for them.
  std::span<const NearRow> found(Index query) const noexcept {
    return {found_.data() + query * wanted_, as_size(wanted_)};
  }

 private:
  friend class NearestRows;
  void offer(Index query, const NearRow& row);

  Index count_ = 0, wanted_ = 0, width_ = 0;
  AlignedBuffer<double> panel_;     ///< a row per feature, a column per query, padded
  AlignedBuffer<double> offset_;    ///< zeros
  AlignedBuffer<double> products_;  ///< of some rows with all queries
  std::vector<double> factor_;      ///< of each query
  std::vector<NearRow> found_;      ///< a heap for each query, the farthest row first
  std::vector<Index> size_;         ///< of each heap
  std::vector<double> least_;       ///< closeness of a row that is not worth a place in the heap
};

/// Finds the rows that are nearest to others by their Euclidean distance; of two at the same
/// distance the one with the lower number is nearer. Rows stay as they are
/// stored, dense or sparse, and a query costs a multiplication per entry stored. What is found for
/// a query depends neither on the other queries nor on whether the rows are stored sparse.
/// Many threads may use one, each with queries of its own.
class NearestRows {
 public:
  /// Requires: values in double. `rows` must outlive this.
  explicit NearestRows(const Features& rows);

  /// As many queries as are best looked for at once: enough for a row to be multiplied with many
  /// each time that it is read, few enough for them to stay in the second cache.
  static Index queries_at_once(Index features) noexcept;
  /// Bytes that so many queries take.
  static double bytes(Index features, Index queries, Index wanted) noexcept;

  Index count() const noexcept { return std::ssize(half_squared_length_); }

  /// Finds the rows that the queries want. Where these are rows themselves, query q the row
  /// `first_own` + q, a row is not found for itself. Throws InterruptedError when the progress asks
  /// to stop. Requires: there are as many rows as are wanted, besides the query's own.
  void find(NearestQueries& queries, Progress* progress, std::optional<Index> first_own = {}) const;

 private:
  void multiply(Index first, Index count, NearestQueries& queries) const noexcept;

  const Features& rows_;
  std::vector<double> half_squared_length_;
  std::vector<std::int32_t> every_feature_;  ///< of a dense row
};

/// The rows of `x` as distances want them: transformed, in double, and stored as `x` is. Copies of
/// the result share its memory. Distances do not depend on the shift of the transform. Dense rows
/// have it, since they lose the fewest digits so; sparse ones do not, and stay sparse.
Features rows_for_distances(const Features& x, const FeatureTransform& transform);

/// The same features; copies share their memory.
Features shared_features(Matrix<double> dense);
Features shared_features(CsrMatrix<double> sparse);

}  // namespace mugrad
