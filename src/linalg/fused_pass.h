// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/design.h"
#include "linalg/panels.h"
#include "linalg/row_blocks.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// Scores of a few rows for a panel of columns, in rows of `width` entries, of which those beyond
/// `columns` are padding.
template <class Real>
struct ScoreBlock {
  Index first_row, rows;
  Index first_column, columns;
  Index width;
  Real* z;         ///< scores, to be replaced by what is to be summed up
  const Real* u;   ///< those of the direction; null without one
  double* values;  ///< sums of each column, to be added to; null when not wanted
  double* bends;   ///< the same; not null when values are wanted
};

/// What a pass does with scores, and with the sums it ends with.
template <class Real>
class PassBody {
 public:
  virtual void residuals(const ScoreBlock<Real>& block) const = 0;
  /// `sums` is a row of the result.
  virtual void finish(Index row, std::span<Real> sums) const = 0;

 protected:
  ~PassBody() = default;
};

/// Sums that a pass gives besides its result, one per column; empty: not wanted.
struct PassSums {
  std::span<double> values = {};
  std::span<double> bends = {};
};

/// One sweep over the design A = [1 X] for all columns of W: per row the scores z = a' W (and
/// u = a' D when a direction D is given), then r = residual(z, u), then result += a r'. Neither
/// scores nor residuals are ever stored for more than a few rows.
///
/// Work is cut into pieces, some rows for a panel of columns, by the shapes alone, never by the
/// threads: each piece sums its rows in order, and the pieces of one panel are added in order.
template <class Real>
class FusedPass {
 public:
  /// For up to `columns` columns.
  FusedPass(const Design<Real>& design, Index columns, ThreadPool& pool);

  /// weights, direction (which may be null) and result have a row per column of the design.
  void run(const Matrix<Real>& weights, const Matrix<Real>* direction, const PassBody<Real>& body,
           Matrix<Real>& result, const PassSums& sums);

 private:
  /// W in panels. For sparse features without the intercepts, and with what every row's score
  /// starts from: offsets = W's intercepts - shift' W.
  struct Packed {
    AlignedBuffer<Real> panels, offsets;
    Matrix<double> partial_offsets;  ///< a row per item of packing
    Index columns = 0;               ///< that there is room for
  };
  struct Call {
    const Matrix<Real>& weights;
    const Matrix<Real>* direction;
    const PassBody<Real>& body;
    bool with_values;
    bool with_sums;
  };
  struct Piece {
    Index chunk, first_row, end_row, first_column, width, columns;
  };

  void reserve(Index columns);
  void reserve(Packed& packed);
  Piece piece(Index number) const noexcept;
  Real* partial(const Piece& piece) noexcept;
  /// Dense columns that fill a cache line at most have kernels of their own.
  bool is_narrow() const noexcept { return !design_.is_sparse() && panels_.lines == 1; }
  /// On this thread when there is little to do.
  template <class Work>
  void for_each(Index items, const Work& work) {
    if (!is_small_) return pool_.run(items, work);
    for (Index item = 0; item < items; ++item) work(item);
  }
  void pack(const Matrix<Real>& weights, Packed& packed);
  void sweep(const Piece& piece, const Call& call);
  void score_sparse(const Packed& packed, const Piece& piece, Index first_row, Index rows,
                    Real* out) const;
  void score_dense(const Matrix<Real>& weights, const Packed& packed, const Piece& piece,
                   Index first_row, Index rows, Real* out) const;
  void add_sparse(const Piece& piece, Index first_row, const Real* residuals);
  void add_dense(const Piece& piece, Index first_row, Index rows, const Real* residuals);
  void add_up(const PassBody<Real>& body, Matrix<Real>& result);
  void sum_row(Index row, std::span<Real> to) const;
  void add_up_sums(const PassSums& sums) const;

  const Design<Real>& design_;
  ThreadPool& pool_;
  Index most_columns_;
  Panels held_panels_{}, panels_{};  ///< that there is room for, and of this call
  Index chunk_rows_, chunks_;
  Index block_rows_;
  bool is_small_;  ///< less work than it takes to wake a thread
  std::optional<RowBlocks<Real>> blocks_;
  Packed weights_, direction_;
  Index partial_size_ = 0;
  AlignedBuffer<Real> partial_;         ///< per chunk, panels of sums
  AlignedBuffer<double> partial_sums_;  ///< per chunk, values and bends
  AlignedBuffer<Real> scratch_;         ///< per piece, scores of a block
  std::vector<Real> residual_sums_;
};

}  // namespace mugrad
