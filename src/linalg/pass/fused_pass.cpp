// SPDX-License-Identifier: MIT
#include "linalg/pass/fused_pass.h"

#include "linalg/dense/blas.h"
#include "linalg/pass/kernels.h"

#include <algorithm>
#include <cassert>

namespace mugrad {
namespace {

constexpr Index kFeaturesPerItem = 256;  // for packing and adding up
constexpr Index kSmall = 1 << 16;        // fewer products take less time than waking a thread

/// Maximum number of rows whose scores are stored: few enough to stay in the nearer caches.
Index most_block_rows(bool is_sparse) noexcept { return is_sparse ? 512 : 64; }

/// A sparse panel accesses the rows of W and of the sums in any order: the fewer columns, the more
/// of both stay in the second-level cache. If all fit, wide panels access each row less often;
/// below four lines that costs more than the cache saves. Dense panels are matrix products, which
/// are better the wider they are.
template <class Real>
Panels panels_of(Index columns, const DesignShape& design) noexcept {
  constexpr Index kLinesInCache = 1 << 13;
  const Index sparse_lines = 2 * 8 * design.cols <= kLinesInCache ? 8 : 4;
  return Panels::cut(columns, kLine<Real>, design.is_sparse ? sparse_lines : kMostLines);
}

/// Whether the weights or sums of a panel do not stay in the second-level cache.
template <class Real>
bool is_far(Index features, Index width) noexcept {
  constexpr Index kNearBytes = 1 << 22;
  return features * width * as_index(sizeof(Real)) > kNearBytes;
}

Index divide_up(Index value, Index by) noexcept { return (value + by - 1) / by; }

/// The number of parts of the rows. Each part has its own sums: parts beyond those that keep a few
/// cores busy need enough work to be worth adding.
Index chunks_of(const DesignShape& design, const Panels& panels) noexcept {
  constexpr Index kPieces = 6;
  constexpr Index kMostChunks = 16;
  constexpr Index kEntriesPerSum = 128;
  constexpr Index kPartialEntries = 1 << 26;  // limits the memory of the sums
  const Index worthwhile = design.stored / (kEntriesPerSum * design.cols);
  const Index wanted =
      std::max(divide_up(kPieces, panels.count), std::min(kMostChunks, worthwhile));
  const Index affordable = kPartialEntries / (design.cols * panels.padded());
  const Index useful = design.rows / most_block_rows(design.is_sparse);
  return std::max<Index>(1, std::min({wanted, affordable, useful}));
}

/// The division of rows: chunks with their own sums, made of whole blocks.
struct Cut {
  Index chunk_rows, chunks, block_rows;
};

template <class Real>
Cut cut_of(const DesignShape& design, Index columns) noexcept {
  const Panels panels = panels_of<Real>(std::max<Index>(1, columns), design);
  const Index rows = divide_up(std::max<Index>(1, design.rows), chunks_of(design, panels));
  const Index blocks = divide_up(rows, most_block_rows(design.is_sparse));
  const Index block_rows = divide_up(rows, blocks);
  const Index chunk_rows = blocks * block_rows;
  return {chunk_rows, std::max<Index>(1, divide_up(design.rows, chunk_rows)), block_rows};
}

}  // namespace

template <class Real>
FusedPass<Real>::FusedPass(const Design<Real>& design, Index columns, ThreadPool& pool,
                           const FusedPass* beside)
    : design_(design), pool_(pool), most_columns_(columns) {
  assert(design.rows() > 0);
  const DesignShape shape = design.shape();
  const Cut cut = cut_of<Real>(shape, columns);
  block_rows_ = cut.block_rows;
  chunk_rows_ = cut.chunk_rows;
  chunks_ = cut.chunks;
  is_small_ = shape.stored * columns < kSmall;
  if (!design.is_sparse()) return;
  if (beside != nullptr && beside->block_rows_ == block_rows_) {
    row_blocks_ = beside->row_blocks_;
  } else {
    row_blocks_ = std::make_shared<const RowBlocks<Real>>(design.sparse(), block_rows_);
  }
}

template <class Real>
FusedPass<Real>::FusedPass(const FusedPass& other, ThreadPool& pool)
    : design_(other.design_),
      pool_(pool),
      most_columns_(other.most_columns_),
      chunk_rows_(other.chunk_rows_),
      chunks_(other.chunks_),
      block_rows_(other.block_rows_),
      is_small_(other.is_small_),
      row_blocks_(other.row_blocks_) {}

template <class Real>
double FusedPass<Real>::stored_bytes(const DesignShape& design, Index most_columns) noexcept {
  if (!design.is_sparse) return 0;
  return RowBlocks<Real>::bytes(design, cut_of<Real>(design, most_columns).block_rows);
}

template <class Real>
double FusedPass<Real>::scratch_bytes(const DesignShape& design, Index most_columns, Index columns,
                                      bool with_direction) noexcept {
  const Cut cut = cut_of<Real>(design, most_columns);
  const auto chunks = static_cast<double>(cut.chunks);
  const auto cols = static_cast<double>(design.cols);
  const auto padded = static_cast<double>(panels_of<Real>(columns, design).padded());
  const double sums = chunks * padded * (cols * sizeof(Real) + 2 * sizeof(double));
  const double scores = 2 * chunks * static_cast<double>(cut.block_rows) * padded * sizeof(Real);
  const double packed =
      design.is_sparse ? cols * padded * sizeof(Real) +
                             cols / kFeaturesPerItem * static_cast<double>(columns) * sizeof(double)
                       : 0;
  return sums + scores + (with_direction ? 2 : 1) * packed;
}

/// Allocates memory for calls with this many columns; all columns may be far more.
template <class Real>
void FusedPass<Real>::reserve(Index columns) {
  if (columns <= held_panels_.columns) return;
  held_panels_ = panels_of<Real>(columns, design_.shape());
  partial_size_ = design_.cols() * held_panels_.padded();
  partial_ = AlignedBuffer<Real>(chunks_ * partial_size_);
  partial_sums_ = AlignedBuffer<double>(chunks_ * 2 * held_panels_.padded());
  scratch_ = AlignedBuffer<Real>(2 * chunks_ * block_rows_ * held_panels_.padded());
  residual_sums_.resize(as_size(columns));
}

template <class Real>
void FusedPass<Real>::reserve(Packed& packed) {
  if (packed.columns == held_panels_.columns) return;
  packed.columns = held_panels_.columns;
  const Index width = design_.is_sparse() ? held_panels_.padded() : kLine<Real>;
  packed.panels = AlignedBuffer<Real>(design_.cols() * width);
  if (!design_.is_sparse()) return;
  packed.offsets = AlignedBuffer<Real>(held_panels_.padded());
  packed.partial_offsets =
      Matrix<double>(divide_up(design_.cols(), kFeaturesPerItem), held_panels_.columns);
}

template <class Real>
typename FusedPass<Real>::Piece FusedPass<Real>::piece(Index number) const noexcept {
  const Index chunk = number / panels_.count;
  const Index panel = number % panels_.count;
  const Index first_row = chunk * chunk_rows_;
  return {.chunk = chunk,
          .first_row = std::min(first_row, design_.rows()),
          .end_row = std::min(first_row + chunk_rows_, design_.rows()),
          .first_column = panels_.first(panel),
          .width = panels_.width(panel),
          .columns = panels_.filled(panel)};
}

template <class Real>
Real* FusedPass<Real>::partial(const Piece& piece) noexcept {
  return partial_.data() + piece.chunk * partial_size_ + design_.cols() * piece.first_column;
}

template <class Real>
void FusedPass<Real>::prepare(const Call& call) {
  assert(call.weights.cols() <= most_columns_ && call.weights.rows() == design_.cols());
  reserve(call.weights.cols());
  panels_ = panels_of<Real>(call.weights.cols(), design_.shape());
  if (!design_.is_sparse() && !is_narrow()) return;
  pack(call.weights, weights_);
  if (call.direction != nullptr) pack(*call.direction, direction_);
}

template <class Real>
void FusedPass<Real>::run(const Matrix<Real>& weights, const Matrix<Real>* direction,
                          const PassBody<Real>& body, Matrix<Real>& result, const PassSums& sums) {
  if (weights.cols() == 0) return;
  const bool with_sums = !sums.values.empty() || !sums.curvatures.empty();
  const Call call{weights, direction, !sums.values.empty(), with_sums};
  prepare(call);
  for_each(chunks_ * panels_.count, [&](Index number) { sweep(piece(number), call, body); });
  add_up(body, result);
  if (with_sums) add_up_sums(sums);
}

template <class Real>
void FusedPass<Real>::pack(const Matrix<Real>& weights, Packed& packed) {
  reserve(packed);
  if (!design_.is_sparse()) {
    for (Index k = 0; k < weights.rows(); ++k) {
      std::ranges::copy(weights.row(k), packed.panels.data() + k * kLine<Real>);
    }
    return;
  }
  const Index features = design_.cols() - 1;
  const Index items = (features + kFeaturesPerItem - 1) / kFeaturesPerItem;
  const auto shift = design_.shift();
  for_each(items, [&](Index item) {
    const auto offsets = packed.partial_offsets.row(item).first(weights.row(0).size());
    std::ranges::fill(offsets, 0.0);
    const Index end = std::min((item + 1) * kFeaturesPerItem, features);
    for (Index k = item * kFeaturesPerItem; k < end; ++k) {
      const auto from = weights.row(k + 1);
      for (Index panel = 0; panel < panels_.count; ++panel) {
        const Index first = panels_.first(panel);
        Real* const to = packed.panels.data() + features * first + k * panels_.width(panel);
        std::copy_n(from.data() + first, panels_.filled(panel), to);
        std::fill(to + panels_.filled(panel), to + panels_.width(panel), Real{0});
      }
      if (shift.empty()) continue;
      const double moved = shift[as_size(k)];
      for (std::size_t t = 0; t < offsets.size(); ++t) {
        offsets[t] -= moved * static_cast<double>(from[t]);
      }
    }
  });
  for (Index t = 0; t < weights.cols(); ++t) {
    double offset = static_cast<double>(weights(0, t));
    for (Index item = 0; item < items; ++item) offset += packed.partial_offsets(item, t);
    packed.offsets.data()[t] = static_cast<Real>(offset);
  }
  std::fill(packed.offsets.data() + weights.cols(), packed.offsets.data() + panels_.padded(),
            Real{0});
}

template <class Real>
void FusedPass<Real>::clear(const Piece& piece, const Call& call) {
  std::fill_n(partial(piece), design_.cols() * piece.width, Real{0});
  if (!call.with_sums) return;
  const auto sums = block_from(piece, piece.first_row, call);
  if (call.with_values) std::fill_n(sums.values, piece.width, 0.0);
  std::fill_n(sums.curvatures, piece.width, 0.0);
}

/// The rows of the piece from this one on, up to a block.
template <class Real>
ScoreBlock<Real> FusedPass<Real>::block_from(const Piece& piece, Index first_row,
                                             const Call& call) noexcept {
  double* const values =
      partial_sums_.data() + piece.chunk * 2 * held_panels_.padded() + piece.first_column;
  Real* const z = scratch_.data() +
                  2 * block_rows_ * (piece.chunk * held_panels_.padded() + piece.first_column);
  return {.first_row = first_row,
          .rows = std::clamp<Index>(piece.end_row - first_row, 0, block_rows_),
          .first_column = piece.first_column,
          .columns = piece.columns,
          .width = piece.width,
          .z = z,
          .u = call.direction == nullptr ? nullptr : z + block_rows_ * piece.width,
          .values = call.with_values ? values : nullptr,
          .curvatures = call.with_sums ? values + held_panels_.padded() : nullptr};
}

template <class Real>
void FusedPass<Real>::score(const Piece& piece, const Call& call,
                            const ScoreBlock<Real>& block) const {
  const auto multiply = [&](const Matrix<Real>& weights, const Packed& packed, Real* out) {
    design_.is_sparse() ? score_sparse(packed, piece, block.first_row, block.rows, out)
                        : score_dense(weights, packed, piece, block.first_row, block.rows, out);
  };
  multiply(call.weights, weights_, block.z);
  if (block.u != nullptr) multiply(*call.direction, direction_, block.u);
}

template <class Real>
void FusedPass<Real>::add(const Piece& piece, const ScoreBlock<Real>& block) {
  design_.is_sparse() ? add_sparse(piece, block.first_row, block.z)
                      : add_dense(piece, block.first_row, block.rows, block.z);
}

template <class Real>
void FusedPass<Real>::sweep(const Piece& piece, const Call& call, const PassBody<Real>& body) {
  clear(piece, call);
  for (Index first = piece.first_row; first < piece.end_row; first += block_rows_) {
    const auto scores = block_from(piece, first, call);
    score(piece, call, scores);
    body.residuals(scores);
    add(piece, scores);
  }
}

template <class Real>
void FusedPass<Real>::score_sparse(const Packed& packed, const Piece& piece, Index first_row,
                                   Index rows, Real* out) const {
  const auto& x = design_.sparse();
  multiply_rows({rows, x.row_start.data() + first_row, x.column.data(), x.value.data(),
                 is_far<Real>(design_.cols(), piece.width)},
                packed.panels.data() + (design_.cols() - 1) * piece.first_column,
                packed.offsets.data() + piece.first_column, piece.width, out);
}

template <class Real>
void FusedPass<Real>::add_sparse(const Piece& piece, Index first_row, const Real* residuals) {
  const Index block = first_row / block_rows_;
  auto columns = row_blocks_->columns(block);
  columns.is_far = is_far<Real>(design_.cols(), piece.width);
  add_rows(columns, row_blocks_->names(block), residuals, piece.width, partial(piece));
}

template <class Real>
void FusedPass<Real>::score_dense(const Matrix<Real>& weights, const Packed& packed,
                                  const Piece& piece, Index first_row, Index rows,
                                  Real* out) const {
  const Index cols = design_.cols();
  const Real* const a = design_.dense().data() + first_row * cols;
  if (is_narrow()) {
    return multiply_narrow(rows, cols, a, packed.panels.data(), piece.columns, out);
  }
  blas::multiply<Real>(rows, piece.columns, cols, {a, cols},
                       {weights.data() + piece.first_column, weights.cols()}, 0, out, piece.width);
}

template <class Real>
void FusedPass<Real>::add_dense(const Piece& piece, Index first_row, Index rows,
                                const Real* residuals) {
  const Index cols = design_.cols();
  const Real* const a = design_.dense().data() + first_row * cols;
  if (is_narrow()) return add_narrow(rows, cols, a, residuals, piece.columns, partial(piece));
  blas::multiply<Real>(cols, piece.columns, rows, {a, cols, true}, {residuals, piece.width}, 1,
                       partial(piece), piece.width);
}

template <class Real>
void FusedPass<Real>::sum_row(Index row, std::span<Real> to) const {
  for (Index panel = 0; panel < panels_.count; ++panel) {
    const Index first = panels_.first(panel);
    const Index width = panels_.width(panel);
    const auto part = to.subspan(as_size(first), as_size(panels_.filled(panel)));
    const Real* from = partial_.data() + design_.cols() * first + row * width;
    std::copy_n(from, part.size(), part.begin());
    for (Index chunk = 1; chunk < chunks_; ++chunk) {
      from += partial_size_;
      for (std::size_t t = 0; t < part.size(); ++t) part[t] += from[t];
    }
  }
}

template <class Real>
void FusedPass<Real>::add_up(const PassEnd<Real>& end, Matrix<Real>& result) {
  const auto shift = design_.shift();
  const auto residuals = std::span(residual_sums_).first(result.row(0).size());
  sum_row(0, residuals);
  for_each((result.rows() + kFeaturesPerItem - 1) / kFeaturesPerItem, [&](Index item) {
    const Index last = std::min((item + 1) * kFeaturesPerItem, result.rows());
    for (Index k = item * kFeaturesPerItem; k < last; ++k) {
      const auto to = result.row(k);
      sum_row(k, to);
      if (k > 0 && !shift.empty()) {
        const auto moved = static_cast<Real>(shift[as_size(k - 1)]);
        for (std::size_t t = 0; t < to.size(); ++t) to[t] -= moved * residuals[t];
      }
      end.finish(k, to);
    }
  });
}

template <class Real>
void FusedPass<Real>::add_up_sums(const PassSums& sums) const {
  const auto add = [&](std::span<double> to, Index offset) {
    for (std::size_t t = 0; t < to.size(); ++t) {
      const double* from = partial_sums_.data() + offset + as_index(t);
      to[t] = *from;
      for (Index chunk = 1; chunk < chunks_; ++chunk) {
        from += 2 * held_panels_.padded();
        to[t] += *from;
      }
    }
  };
  add(sums.values, 0);
  add(sums.curvatures, held_panels_.padded());
}

template class FusedPass<float>;
template class FusedPass<double>;

}  // namespace mugrad
