// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>
#include <mugrad/core/progress.h>
#include <mugrad/core/types.h>
#include <mugrad/model/model.h>

#include <cassert>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// Selects predicted labels by the scores of a row, best first; ties go to the lower label.
class LabelChoice {
 public:
  /// The labels whose score reaches their threshold.
  static LabelChoice by_threshold(std::vector<double> thresholds);
  /// The k labels with the highest scores, or all if there are fewer. Throws UsageError if k < 1.
  static LabelChoice top(Index k);

  /// Valid until the next call.
  std::span<const LabelId> choose(std::span<const double> scores);

 private:
  LabelChoice() = default;

  std::vector<double> thresholds_;  ///< empty: the top k
  Index k_ = 0;
  std::vector<LabelId> chosen_;
};

/// A score is not finite: values of the row or numbers of the model are too large.
class ScoreError : public InputError {
 public:
  ScoreError(Index row, const std::string& label, double score);
  /// For a row whose scores are not finite for any label.
  static ScoreError of_all_labels(Index row);

  /// Row of the scored features, from 0.
  Index row() const noexcept { return row_; }
  /// The message without the row.
  const std::string& reason() const noexcept { return reason_; }

 private:
  ScoreError(Index row, std::string reason);

  Index row_;
  std::string reason_;
};

/// Scores many batches with one model: everything that does not depend on the rows (layout of the
/// weights, threads, scratch memory) is created once. The model need not outlive it.
///
/// Weights stay in the precision of the training; sums are in double, and in long double for rows
/// whose sums overflow double. The scores of a row depend neither on the other rows nor on the
/// number of threads.
///
/// Non-finite scores throw ScoreError. The calling thread updates the progress, several times a
/// second, and InterruptedError is thrown if it asks to stop.
class Scorer {
 public:
  explicit Scorer(const Model& model, Threads threads = {}) : Scorer(model, true, threads) {}
  /// A scorer of linear scores, before the link. Throws as Model::linear_scores.
  static Scorer linear(const Model& model, Threads threads = {});
  /// Caps the thread count for a scorer that scores only this many rows of x.
  static Threads threads_for(const Model& model, const Features& x, Index rows, Threads threads);
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  Index features() const noexcept;
  Index labels() const noexcept;

  /// Scores rows [begin, end) of x into `out`, row by row. Allocates nothing once it has scored
  /// rows with as many entries. Throws UsageError unless x has as many columns as the model has
  /// features, and the columns of its rows are ascending and in range.
  /// Requires: `out` is large enough; not called by two threads at once.
  void scores(const Features& x, Index begin, Index end, std::span<double> out,
              Progress* progress = nullptr);
  /// Into the first rows of a matrix. Requires: it has one column per label.
  void scores(const Features& x, Index begin, Index end, Matrix<double>& out,
              Progress* progress = nullptr) {
    assert(out.cols() == labels());
    scores(x, begin, end, out.values(), progress);
  }

  /// The labels of these rows whose scores reach the model's thresholds; only the scores of a few
  /// rows are stored at a time. Throws and requires what `scores` does; throws UsageError for a
  /// scorer of linear scores.
  BinaryMatrix predict(const Features& x, Index begin, Index end, Progress* progress = nullptr);

 private:
  class Impl;
  Scorer(const Model& model, bool with_link, Threads threads);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mugrad
