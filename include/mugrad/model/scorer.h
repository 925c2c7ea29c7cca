// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <memory>

namespace mugrad {

/// Scores batch after batch with one model: what does not depend on the rows (weights in the
/// order the kernels want, threads, scratch) is made once.
///
/// Weights stay in the precision they were trained in; sums are in double. The scores of a row
/// depend neither on the other rows nor on the number of threads.
class Scorer {
 public:
  explicit Scorer(const Model& model, Threads threads = {}) : Scorer(model, true, threads) {}
  /// Of linear scores, before the link. Throws as Model::linear_scores.
  static Scorer linear(const Model& model, Threads threads = {}) { return {model, false, threads}; }
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  Index features() const noexcept;
  Index labels() const noexcept;

  /// Scores of rows [begin, end) of x, into the first rows of `out`. Allocates nothing once it has
  /// seen rows with as many entries. Throws UsageError when x has not as many columns as the model
  /// has features. Requires: out has a column per label and at least end - begin rows; not called
  /// by two threads at once.
  void scores(const Features& x, Index begin, Index end, Matrix<double>& out);

 private:
  class Impl;
  Scorer(const Model& model, bool with_link, Threads threads);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mugrad
