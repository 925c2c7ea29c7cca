// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"
#include "linalg/pass/panels.h"
#include "linalg/pass/row_blocks.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// Maximum number of cache lines per panel.
inline constexpr Index kMostLines = 16;

/// Scores of a few rows for a panel of columns, in rows of `width` entries; entries beyond
/// `columns` are padding.
template <class Real>
struct ScoreBlock {
  Index first_row, rows;
  Index first_column, columns;
  Index width;
  Real* z;             ///< scores, to be replaced by the terms to sum
  Real* u;             ///< scores of the direction; null without one
  double* values;      ///< column sums to add to; null if not needed
  double* curvatures;  ///< the same; not null if values are needed
};

/// The final step of a pass.
template <class Real>
class PassEnd {
 public:
  /// `sums` is a row of the result.
  virtual void finish(Index row, std::span<Real> sums) const = 0;

 protected:
  ~PassEnd() = default;
};

/// How residuals are computed from scores, one panel at a time.
template <class Real>
class PassBody : public PassEnd<Real> {
 public:
  virtual void residuals(const ScoreBlock<Real>& block) const = 0;

 protected:
  ~PassBody() = default;
};

/// How residuals are computed if they depend on the scores of all columns.
template <class Real>
class JointPassBody : public PassEnd<Real> {
 public:
  /// For rows [begin, end) of blocks that are the panels of the same rows.
  virtual void residuals(std::span<const ScoreBlock<Real>> panels, Index begin,
                         Index end) const = 0;
  /// Adds the curvatures that follow from the residuals of a block.
  virtual void add_curvatures(const ScoreBlock<Real>& block) const = 0;

 protected:
  ~JointPassBody() = default;
};

/// Further sums of a pass, one per column; empty: not needed.
struct PassSums {
  std::span<double> values = {};
  std::span<double> curvatures = {};
};

/// One pass over the design A = [1 X] for all columns of W: for each row the scores z = a' W (and u
/// = a' D for a direction D), then r = residual(z, u), then result += a r'. Scores and residuals
/// are only stored for a few rows at a time.
///
/// The work is divided into pieces, some rows for a panel of columns, by the shapes alone, never by
/// the number of threads. Each piece sums its rows in order, and the pieces of a panel are added in
/// order.
template <class Real>
class FusedPass {
 public:
  /// For up to `columns` columns. Shares its copy of the design with `beside`, a pass over the same
  /// design, if that has blocks of the same size.
  FusedPass(const Design<Real>& design, Index columns, ThreadPool& pool,
            const FusedPass* beside = nullptr);
  /// A copy for another pool, which shares the copy of the design.
  FusedPass(const FusedPass& other, ThreadPool& pool);

  /// The memory of a pass for up to `most_columns` columns, in bytes: its copy of the design, and
  /// the scratch memory of calls with this many columns.
  static double stored_bytes(const DesignShape& design, Index most_columns) noexcept;
  static double scratch_bytes(const DesignShape& design, Index most_columns, Index columns,
                              bool with_direction) noexcept;

  /// weights, direction (which may be null) and result have one row per column of the design.
  void run(const Matrix<Real>& weights, const Matrix<Real>* direction, const PassBody<Real>& body,
           Matrix<Real>& result, const PassSums& sums);
  /// The same for joint residuals: all panels of a block are scored before any residuals are
  /// computed. `curvatures` may be empty.
  void run(const Matrix<Real>& weights, const Matrix<Real>* direction,
           const JointPassBody<Real>& body, Matrix<Real>& result, std::span<double> curvatures);

 private:
  /// W in panels. For sparse features without the intercepts, and with the initial score of every
  /// row: offsets = W's intercepts - shift' W.
  struct Packed {
    AlignedBuffer<Real> panels, offsets;
    Matrix<double> partial_offsets;  ///< one row per item of packing
    Index columns = 0;               ///< capacity
  };
  struct Call {
    const Matrix<Real>& weights;
    const Matrix<Real>* direction;
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
  /// Dense columns that fit into a cache line have their own kernels.
  bool is_narrow() const noexcept { return !design_.is_sparse() && panels_.lines == 1; }
  /// Runs on this thread if there is little work.
  template <class Work>
  void for_each(Index items, const Work& work) {
    if (!is_small_) return pool_.run(items, work);
    for (Index item = 0; item < items; ++item) work(item);
  }
  void pack(const Matrix<Real>& weights, Packed& packed);
  void prepare(const Call& call);
  void clear(const Piece& piece, const Call& call);
  ScoreBlock<Real> block_from(const Piece& piece, Index first_row, const Call& call) noexcept;
  void score(const Piece& piece, const Call& call, const ScoreBlock<Real>& block) const;
  void add(const Piece& piece, const ScoreBlock<Real>& block);
  void sweep(const Piece& piece, const Call& call, const PassBody<Real>& body);
  void sweep_together(Index first_row, const Call& call, const JointPassBody<Real>& body);
  void score_sparse(const Packed& packed, const Piece& piece, Index first_row, Index rows,
                    Real* out) const;
  void score_dense(const Matrix<Real>& weights, const Packed& packed, const Piece& piece,
                   Index first_row, Index rows, Real* out) const;
  void add_sparse(const Piece& piece, Index first_row, const Real* residuals);
  void add_dense(const Piece& piece, Index first_row, Index rows, const Real* residuals);
  void add_up(const PassEnd<Real>& end, Matrix<Real>& result);
  void sum_row(Index row, std::span<Real> to) const;
  void add_up_sums(const PassSums& sums) const;

  const Design<Real>& design_;
  ThreadPool& pool_;
  Index most_columns_;
  Panels held_panels_{}, panels_{};  ///< the capacity, and of this call
  Index chunk_rows_, chunks_;
  Index block_rows_;
  bool is_small_;                                      ///< less work than waking a thread
  std::shared_ptr<const RowBlocks<Real>> row_blocks_;  ///< of sparse features
  Packed weights_, direction_;
  Index partial_size_ = 0;
  AlignedBuffer<Real> partial_;         ///< per chunk, panels of sums
  AlignedBuffer<double> partial_sums_;  ///< per chunk, values and curvatures
  AlignedBuffer<Real> scratch_;         ///< per piece, scores of a block
  std::vector<Real> residual_sums_;
  std::vector<ScoreBlock<Real>> blocks_;  ///< of all pieces, for joint residuals
};

}  // namespace mugrad
