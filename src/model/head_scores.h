// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/checkpoint.h>
#include <mugrad/model/head.h>

#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// What a thread works in.
struct HeadScratch {
  std::vector<double> numbers;
  std::vector<LabelId> labels;
};

/// Turns the linear scores of rows into scores of labels, each row for itself. May be used by
/// several threads at once, each with a scratch of its own.
class HeadScores {
 public:
  virtual ~HeadScores() = default;

  /// Whether the squared lengths of the scaled rows are needed.
  virtual bool wants_lengths() const { return false; }
  /// z has a row of linear scores per row, and may be overwritten; out a row of labels. `check` is
  /// called so often that no more work lies between two calls than the head has numbers.
  virtual void apply(Index rows, double* z, const double* squared_lengths, HeadScratch& scratch,
                     const Checkpoint& check, double* out) const = 0;
  /// The same for one row whose linear scores, or length, leave the range of double.
  virtual void apply_wide(std::span<long double> z, long double squared_length,
                          HeadScratch& scratch, const Checkpoint& check,
                          std::span<double> out) const = 0;
};

/// `head` must outlive it. Requires: the head has been checked. Null for an independent head, which
/// needs no more than its link.
std::unique_ptr<HeadScores> head_scores(const Head& head, Index columns, Index labels);

}  // namespace mugrad
