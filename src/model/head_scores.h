// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/nearest_rows.h"
#include "model/head_kind.h"
#include "objective/logistic.h"

#include <mugrad/core/progress.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// The input that a head computes scores from.
enum class HeadInput {
  linear_scores,             ///< of every column of the weights
  linear_scores_and_length,  ///< the same, and the length of the scaled row
  scaled_row,                ///< and its length; linear scores are not computed
};

/// A row as input of a head, in double, or in long double if numbers overflow double. Parts that
/// the head does not need are empty or 0.
template <class Real>
struct HeadRow {
  std::span<double> scores;  ///< of the labels: to be written
  std::span<Real> linear;    ///< scores; may be overwritten
  Real squared_length = 0;
  std::span<const FeatureId> features = {};  ///< ascending; all others are 0 in the scaled row
  std::span<const Real> values = {};         ///< of these features
};

/// The scratch memory of a thread.
struct HeadScratch {
  std::vector<double> numbers;
  std::vector<LabelId> labels;
  NearestQueries queries;
};

/// The context for scoring rows. `check` must be called at least once per as many operations as the
/// head has numbers.
struct RowWork {
  HeadScratch& scratch;
  Progress& progress;

  /// Throws InterruptedError if the progress asks to stop.
  void check() const { advance(&progress, 0); }
};

/// Scores the labels of rows; the scores of a row do not depend on the other rows. Several threads
/// may use it at once, each with its own scratch.
class HeadScores {
 public:
  virtual ~HeadScores() = default;

  virtual HeadInput input() const { return HeadInput::linear_scores; }
  virtual void score(std::span<const HeadRow<double>> rows, const RowWork& work) const = 0;
  virtual void score(const HeadRow<long double>& row, const RowWork& work) const = 0;
};

/// HeadScores of a kind that scores one row after the other and has
///   Own(const SomeHead& head, const HeadShape& shape);
///   template <class Real>
///   void score_row(const HeadRow<Real>& row, const RowWork& work, std::span<double> scores) const;
/// where the scores are initially zero.
template <class Own, HeadInput kInput = HeadInput::linear_scores>
class RowHeadScores : public HeadScores {
 public:
  HeadInput input() const final { return kInput; }
  void score(std::span<const HeadRow<double>> rows, const RowWork& work) const final {
    for (const auto& row : rows) score_any(row, work);
  }
  void score(const HeadRow<long double>& row, const RowWork& work) const final {
    score_any(row, work);
  }

 private:
  template <class Real>
  void score_any(const HeadRow<Real>& row, const RowWork& work) const {
    work.check();
    std::ranges::fill(row.scores, 0.0);
    static_cast<const Own&>(*this).score_row(row, work, row.scores);
  }
};

/// For HeadKind::scores.
template <class Scores, class Own>
std::unique_ptr<HeadScores> make_scores(const Own& head, const HeadShape& shape) {
  return std::make_unique<Scores>(head, shape);
}

template <class Real>
double probability(Real z) {
  return static_cast<double>(LogisticLoss::probability(z));
}

/// Between a row and a column of the weights, given their product.
template <class Real>
Real squared_distance(Real squared_length, Real product, double other_squared_length) {
  return std::max<Real>(0, squared_length - 2 * product + other_squared_length);
}

/// As HeadKind::scores.
std::unique_ptr<HeadScores> head_scores(const Head& head, const HeadShape& shape);
/// As HeadKind::rows_at_once; 0 where that does not matter.
Index rows_at_once(const Head& head, const HeadShape& shape);

}  // namespace mugrad
