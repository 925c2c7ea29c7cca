// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>
#include <mugrad/core/progress.h>
#include <mugrad/model/model.h>

#include <cassert>
#include <memory>
#include <span>
#include <string>

namespace mugrad {

/// A score that is not a finite number: values of the row, or numbers of the model, are too large.
class ScoreError : public InputError {
 public:
  ScoreError(Index row, const std::string& label, double score);
  /// For a row whose scores are not finite for any label.
  static ScoreError of_all_labels(Index row);

  /// Of the features that were scored, from 0.
  Index row() const noexcept { return row_; }
  /// What what() says, without the row.
  const std::string& reason() const noexcept { return reason_; }

 private:
  ScoreError(Index row, std::string reason);

  Index row_;
  std::string reason_;
};

/// Scores batch after batch with one model: what does not depend on the rows (the layout of the
/// weights, threads, scratch) is made once. The model may be gone by then.
///
/// Weights stay in the precision they were trained in; sums are in double, and in long double for a
/// row whose sums leave the range of double. The scores of a row depend neither on the other rows
/// nor on the number of threads.
///
/// Scores are finite: those that are not are a ScoreError. The thread that calls is the one that
/// updates the progress, several times a second. InterruptedError says that this asked to stop.
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
  void scores(const Features& x, Index begin, Index end, std::span<double> out,
              Progress* progress = nullptr);
  /// Into the first rows of a matrix. Requires: it has a column per label.
  void scores(const Features& x, Index begin, Index end, Matrix<double>& out,
              Progress* progress = nullptr) {
    assert(out.cols() == labels());
    scores(x, begin, end, out.values(), progress);
  }

  /// The labels of these rows whose scores reach the model's thresholds; the scores themselves are
  /// held for a few rows at a time only. Throws and requires what `scores` does; UsageError from a
  /// scorer of linear scores.
  BinaryMatrix predict(const Features& x, Index begin, Index end, Progress* progress = nullptr);

 private:
  class Impl;
  Scorer(const Model& model, bool with_link, Threads threads);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mugrad
