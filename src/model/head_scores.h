// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/head.h>

#include <memory>
#include <vector>

namespace mugrad {

/// What a thread works in.
struct HeadScratch {
  std::vector<double> numbers;
  std::vector<LabelId> labels;
};

/// Turns the linear scores of rows into scores of labels, each row for itself.
class HeadScores {
 public:
  virtual ~HeadScores() = default;

  /// Whether the squared lengths of the scaled rows are needed.
  virtual bool wants_lengths() const { return false; }
  /// z has a row of linear scores per row, and may be overwritten; out a row of labels. May be
  /// called by several threads at once, each with a scratch of its own.
  virtual void apply(Index rows, double* z, const double* squared_lengths, HeadScratch& scratch,
                     double* out) const = 0;
};

/// `head` must outlive it. Requires: the head has been checked. Null for an independent head, which
/// needs no more than its link.
std::unique_ptr<HeadScores> head_scores(const Head& head, Index columns, Index labels);

}  // namespace mugrad
