// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/blas.h"
#include "linalg/design.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <algorithm>
#include <vector>

namespace mugrad {

/// How a pass is cut into pieces of work. It depends on the shapes alone, never on the threads:
/// each piece sums its rows in order, and the pieces of one panel are added in order.
struct PassPlan {
  Index panel = 0;  ///< tasks per panel
  Index panels = 0;
  Index chunk_rows = 0;  ///< rows per chunk
  Index chunks = 0;

  static PassPlan make(Index rows, Index cols, Index tasks, bool is_sparse);
  Index pieces() const noexcept { return panels * chunks; }
};

/// One sweep over the design A = [1 X] for all tasks: per row the scores z = a' W (and u = a' D
/// when a direction D is given), then r = point(z, u), then result += a r'. Neither scores nor
/// residuals are ever stored for more than a few rows.
///
/// `point(row, first, z, u, values)` gets the scores of tasks first, first + 1, ... of a row,
/// replaces them by r, and may add to values.
template <class Real>
class FusedPass {
 public:
  FusedPass(const Design<Real>& design, Index tasks, ThreadPool& pool);

  /// result is cols x tasks; values (one per task, summed over the rows) may be empty.
  /// `direction` may be null.
  template <class Pointwise>
  void run(const Matrix<Real>& weights, const Matrix<Real>* direction, const Pointwise& point,
           Matrix<Real>& result, std::span<double> values);

 private:
  struct Piece {
    Index number, chunk, first_row, end_row, first_task, tasks;
  };
  Piece piece(Index number) const noexcept;

  /// offsets = W's intercepts - shift' W: what every sparse row's score starts from.
  void compute_offsets(const Matrix<Real>& weights, std::vector<double>& offsets);
  void add_up(Matrix<Real>& result, std::span<double> values);
  template <class Pointwise>
  void sweep_sparse(const Piece& piece, const Matrix<Real>& weights, const Matrix<Real>* direction,
                    const Pointwise& point);
  template <class Pointwise>
  void sweep_dense(const Piece& piece, const Matrix<Real>& weights, const Matrix<Real>* direction,
                   const Pointwise& point);

  static constexpr Index kRowBlock = 64;  ///< dense rows whose scores are held at once

  const Design<Real>& design_;
  ThreadPool& pool_;
  Index tasks_;
  PassPlan plan_;
  std::vector<Matrix<Real>> partial_;  ///< per chunk, cols x tasks
  Matrix<double> partial_values_;      ///< chunks x tasks
  std::vector<double> offsets_, direction_offsets_;
  std::vector<std::vector<Real>> scratch_;  ///< per piece
};

inline PassPlan PassPlan::make(Index rows, Index cols, Index tasks, bool is_sparse) {
  constexpr Index kPieces = 8;                // enough to keep a few cores busy to the end
  constexpr Index kChunkRows = 256;           // fewer are not worth a piece
  constexpr Index kPartialEntries = 1 << 26;  // bounds the memory of the partial sums
  PassPlan plan;
  plan.panel = std::min<Index>(tasks, is_sparse ? 64 : 256);
  plan.panels = tasks == 0 ? 0 : (tasks + plan.panel - 1) / plan.panel;
  const Index wanted = plan.panels == 0 ? 1 : (kPieces + plan.panels - 1) / plan.panels;
  const Index affordable = std::max<Index>(1, kPartialEntries / std::max<Index>(1, cols * tasks));
  const Index useful = std::max<Index>(1, rows / kChunkRows);
  plan.chunks = std::min({wanted, affordable, useful});
  plan.chunk_rows = (rows + plan.chunks - 1) / plan.chunks;
  return plan;
}

template <class Real>
FusedPass<Real>::FusedPass(const Design<Real>& design, Index tasks, ThreadPool& pool)
    : design_(design),
      pool_(pool),
      tasks_(tasks),
      plan_(PassPlan::make(design.rows(), design.cols(), tasks, design.is_sparse())),
      partial_values_(plan_.chunks, tasks) {
  for (Index chunk = 0; chunk < plan_.chunks; ++chunk) partial_.emplace_back(design.cols(), tasks);
  const auto rows_held = static_cast<std::size_t>(design.is_sparse() ? 1 : kRowBlock);
  scratch_.assign(static_cast<std::size_t>(plan_.pieces()),
                  std::vector<Real>(2 * rows_held * static_cast<std::size_t>(plan_.panel)));
}

template <class Real>
typename FusedPass<Real>::Piece FusedPass<Real>::piece(Index number) const noexcept {
  const Index chunk = number / plan_.panels;
  const Index first_task = (number % plan_.panels) * plan_.panel;
  const Index first_row = chunk * plan_.chunk_rows;
  return {.number = number,
          .chunk = chunk,
          .first_row = std::min(first_row, design_.rows()),
          .end_row = std::min(first_row + plan_.chunk_rows, design_.rows()),
          .first_task = first_task,
          .tasks = std::min(plan_.panel, tasks_ - first_task)};
}

template <class Real>
template <class Pointwise>
void FusedPass<Real>::run(const Matrix<Real>& weights, const Matrix<Real>* direction,
                          const Pointwise& point, Matrix<Real>& result, std::span<double> values) {
  if (design_.is_sparse()) {
    compute_offsets(weights, offsets_);
    if (direction != nullptr) compute_offsets(*direction, direction_offsets_);
  }
  pool_.run(plan_.pieces(), [&](Index number) {
    const Piece work = piece(number);
    auto& partial = partial_[static_cast<std::size_t>(work.chunk)];
    for (Index k = 0; k < partial.rows(); ++k) {
      std::fill_n(&partial(k, work.first_task), work.tasks, Real{0});
    }
    std::fill_n(&partial_values_(work.chunk, work.first_task), work.tasks, 0.0);
    design_.is_sparse() ? sweep_sparse(work, weights, direction, point)
                        : sweep_dense(work, weights, direction, point);
  });
  add_up(result, values);
}

template <class Real>
void FusedPass<Real>::compute_offsets(const Matrix<Real>& weights, std::vector<double>& offsets) {
  offsets.assign(weights.row(0).begin(), weights.row(0).end());
  const auto shift = design_.shift();
  for (std::size_t k = 0; k < shift.size(); ++k) {
    const auto row = weights.row(static_cast<Index>(k) + 1);
    for (std::size_t t = 0; t < row.size(); ++t) {
      offsets[t] -= shift[k] * static_cast<double>(row[t]);
    }
  }
}

template <class Real>
template <class Pointwise>
void FusedPass<Real>::sweep_sparse(const Piece& piece, const Matrix<Real>& weights,
                                   const Matrix<Real>* direction, const Pointwise& point) {
  const auto& x = design_.sparse();
  auto& sums = partial_[static_cast<std::size_t>(piece.chunk)];
  const auto tasks = static_cast<std::size_t>(piece.tasks);
  const auto first = static_cast<std::size_t>(piece.first_task);
  Real* const z = scratch_[static_cast<std::size_t>(piece.number)].data();
  Real* const u = direction == nullptr ? nullptr : z + plan_.panel;

  const auto score = [&](Index row, const Matrix<Real>& w, const std::vector<double>& offsets,
                         Real* __restrict out) {
    for (std::size_t t = 0; t < tasks; ++t) out[t] = static_cast<Real>(offsets[first + t]);
    const auto columns = x.row_columns(row);
    const auto values = x.row_values(row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Real* __restrict from = w.data() + (columns[k] + 1) * tasks_ + piece.first_task;
      for (std::size_t t = 0; t < tasks; ++t) out[t] += values[k] * from[t];
    }
  };

  for (Index row = piece.first_row; row < piece.end_row; ++row) {
    score(row, weights, offsets_, z);
    if (u != nullptr) score(row, *direction, direction_offsets_, u);
    point(row, piece.first_task, std::span(z, tasks), u,
          &partial_values_(piece.chunk, piece.first_task));
    const auto add = [&](Index to_row, Real value) {
      Real* __restrict to = sums.data() + to_row * tasks_ + piece.first_task;
      for (std::size_t t = 0; t < tasks; ++t) to[t] += value * z[t];
    };
    add(0, Real{1});
    const auto columns = x.row_columns(row);
    const auto values = x.row_values(row);
    for (std::size_t k = 0; k < columns.size(); ++k) add(columns[k] + 1, values[k]);
  }
}

template <class Real>
template <class Pointwise>
void FusedPass<Real>::sweep_dense(const Piece& piece, const Matrix<Real>& weights,
                                  const Matrix<Real>* direction, const Pointwise& point) {
  const auto& a = design_.dense();
  const Index cols = a.cols();
  auto& sums = partial_[static_cast<std::size_t>(piece.chunk)];
  Real* const z = scratch_[static_cast<std::size_t>(piece.number)].data();
  Real* const u = direction == nullptr ? nullptr : z + kRowBlock * plan_.panel;

  for (Index begin = piece.first_row; begin < piece.end_row; begin += kRowBlock) {
    const Index rows = std::min(kRowBlock, piece.end_row - begin);
    const blas::Operand<Real> block{.data = a.data() + begin * cols, .stride = cols};
    const auto score = [&](const Matrix<Real>& w, Real* out) {
      blas::multiply<Real>(rows, piece.tasks, cols, block, {w.data() + piece.first_task, tasks_}, 0,
                           out, piece.tasks);
    };
    score(weights, z);
    if (u != nullptr) score(*direction, u);
    for (Index row = 0; row < rows; ++row) {
      point(begin + row, piece.first_task,
            std::span(z + row * piece.tasks, static_cast<std::size_t>(piece.tasks)),
            u == nullptr ? nullptr : u + row * piece.tasks,
            &partial_values_(piece.chunk, piece.first_task));
    }
    blas::multiply<Real>(cols, piece.tasks, rows, {block.data, cols, true}, {z, piece.tasks}, 1,
                         sums.data() + piece.first_task, tasks_);
  }
}

template <class Real>
void FusedPass<Real>::add_up(Matrix<Real>& result, std::span<double> values) {
  const auto shift = design_.shift();
  const auto tasks = static_cast<std::size_t>(tasks_);
  const auto sum_row = [&](Index k) {
    const auto to = result.row(k);
    std::ranges::copy(partial_[0].row(k), to.begin());
    for (std::size_t chunk = 1; chunk < partial_.size(); ++chunk) {
      const auto from = partial_[chunk].row(k);
      for (std::size_t t = 0; t < tasks; ++t) to[t] += from[t];
    }
  };
  sum_row(0);
  constexpr Index kRowsPerItem = 128;
  pool_.run((result.rows() - 1 + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
    const Index begin = 1 + item * kRowsPerItem;
    const Index end = std::min(begin + kRowsPerItem, result.rows());
    for (Index k = begin; k < end; ++k) {
      sum_row(k);
      if (shift.empty()) continue;
      const auto moved = static_cast<Real>(shift[static_cast<std::size_t>(k - 1)]);
      const auto to = result.row(k);
      const auto residuals = result.row(0);
      for (std::size_t t = 0; t < tasks; ++t) to[t] -= moved * residuals[t];
    }
  });
  if (values.empty()) return;
  std::ranges::copy(partial_values_.row(0), values.begin());
  for (Index chunk = 1; chunk < plan_.chunks; ++chunk) {
    for (std::size_t t = 0; t < tasks; ++t) {
      values[t] += partial_values_(chunk, static_cast<Index>(t));
    }
  }
}

}  // namespace mugrad
