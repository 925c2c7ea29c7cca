// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <cassert>
#include <memory>
#include <span>

namespace mugrad {

/// Scores batch after batch with one model: what does not depend on the rows (the layout of the
/// weights, threads, scratch) is made once. The model may be gone by then.
///
/// Weights stay in the precision they were trained in; sums are in double. The scores of a row
/// depend neither on the other rows nor on the number of threads.
class Scorer {
 public:
  explicit Scorer(const Model& model, Threads threads = {}) : Scorer(model, true, threads) {}
  /// Of linear scores, before the link. Throws as Model::linear_scores.
  static Scorer linear(const Model& model, Threads threads = {});
  /// As many of the threads as have work with so many rows of x, for a scorer that sees no more.
  static Threads threads_for(const Model& model, const Features& x, Index rows, Threads threads);
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  Index features() const noexcept;
  Index labels() const noexcept;

  /// Scores of rows [begin, end) of x, row by row from the beginning of `out`. Allocates nothing
  /// once it has seen rows with as many entries. Throws UsageError when x has not as many columns
  /// as the model has features, or rows whose columns do not ascend within them. Requires: out has
  /// room for them; not called by two threads at once.
  void scores(const Features& x, Index begin, Index end, std::span<double> out);
  /// Into the first rows of a matrix. Requires: it has a column per label.
  void scores(const Features& x, Index begin, Index end, Matrix<double>& out) {
    assert(out.cols() == labels());
    scores(x, begin, end, out.values());
  }

  /// The labels of these rows whose scores reach the model's thresholds; the scores themselves are
  /// held for a few rows at a time only. Throws and requires what `scores` does; UsageError from a
  /// scorer of linear scores.
  BinaryMatrix predict(const Features& x, Index begin, Index end);

 private:
  class Impl;
  Scorer(const Model& model, bool with_link, Threads threads);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mugrad
