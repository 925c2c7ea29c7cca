// SPDX-License-Identifier: MIT
// Passes whose residuals depend on the scores of all columns.
#include "linalg/pass/fused_pass.h"

#include <algorithm>

namespace mugrad {

template <class Real>
void FusedPass<Real>::run(const Matrix<Real>& weights, const Matrix<Real>* direction,
                          const JointPassBody<Real>& body, Matrix<Real>& result,
                          std::span<double> curvatures) {
  if (weights.cols() == 0) return;
  const Call call{weights, direction, false, !curvatures.empty()};
  prepare(call);
  blocks_.resize(as_size(chunks_ * panels_.count));
  for_each(chunks_ * panels_.count, [&](Index number) { clear(piece(number), call); });
  for (Index first = 0; first < chunk_rows_; first += block_rows_) {
    sweep_together(first, call, body);
  }
  add_up(body, result);
  if (call.with_sums) add_up_sums({.curvatures = curvatures});
}

/// The block of every chunk at this offset from its start.
template <class Real>
void FusedPass<Real>::sweep_together(Index first_row, const Call& call,
                                     const JointPassBody<Real>& body) {
  constexpr Index kRowsPerItem = 64;
  const Index pieces = chunks_ * panels_.count;
  for_each(pieces, [&](Index number) {
    const Piece own = piece(number);
    auto& scores = blocks_[as_size(number)];
    scores = block_from(own, own.first_row + first_row, call);
    if (scores.rows > 0) score(own, call, scores);
  });
  const Index parts = (block_rows_ + kRowsPerItem - 1) / kRowsPerItem;
  for_each(chunks_ * parts, [&](Index item) {
    const auto panels = std::span<const ScoreBlock<Real>>(blocks_).subspan(
        as_size(item / parts * panels_.count), as_size(panels_.count));
    const Index begin = item % parts * kRowsPerItem;
    const Index end = std::min(begin + kRowsPerItem, panels.front().rows);
    if (begin < end) body.residuals(panels, begin, end);
  });
  for_each(pieces, [&](Index number) {
    const auto& scores = blocks_[as_size(number)];
    if (scores.rows == 0) return;
    if (scores.curvatures != nullptr) body.add_curvatures(scores);
    add(piece(number), scores);
  });
}

template void FusedPass<float>::run(const Matrix<float>&, const Matrix<float>*,
                                    const JointPassBody<float>&, Matrix<float>&, std::span<double>);
template void FusedPass<double>::run(const Matrix<double>&, const Matrix<double>*,
                                     const JointPassBody<double>&, Matrix<double>&,
                                     std::span<double>);

}  // namespace mugrad
