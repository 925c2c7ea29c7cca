// SPDX-License-Identifier: MIT
#pragma once

#include "model/head_kind.h"

#include <mugrad/core/progress.h>
#include <mugrad/objective/logistic.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// What a head makes scores of.
enum class HeadInput {
  linear_scores,             ///< of every column of the weights
  linear_scores_and_length,  ///< and the length of the scaled row
  scaled_row,                ///< and its length; no linear scores are computed
};

/// A row as a head sees it, in double, or in long double where numbers leave the range of double.
/// What the head does not ask for is empty, or 0.
template <class Real>
struct HeadRow {
  std::span<Real> linear;  ///< scores; may be overwritten
  Real squared_length = 0;
  std::span<const FeatureId> features = {};  ///< ascending: all others are 0 in the scaled row
  std::span<const Real> values = {};         ///< of these features
};

/// What a thread works in.
struct HeadScratch {
  std::vector<double> numbers;
  std::vector<LabelId> labels;
};

/// What a row is scored with. `check` must be called so often that no more work lies between two
/// calls than the head has numbers.
struct RowWork {
  HeadScratch& scratch;
  Progress& progress;

  /// Throws InterruptedError when the progress asks to stop.
  void check() const { advance(&progress, 0); }
};

/// Scores the labels of one row after the other. May be used by several threads at once, each with
/// a scratch of its own.
class HeadScores {
 public:
  virtual ~HeadScores() = default;

  virtual HeadInput input() const { return HeadInput::linear_scores; }
  virtual void score(const HeadRow<double>& row, const RowWork& work,
                     std::span<double> out) const = 0;
  virtual void score(const HeadRow<long double>& row, const RowWork& work,
                     std::span<double> out) const = 0;
};

/// HeadScores of a kind that has
///   Own(const SomeHead& head, const HeadShape& shape);
///   template <class Real>
///   void score_row(const HeadRow<Real>& row, const RowWork& work, std::span<double> scores) const;
/// where the scores are zero before.
template <class Own, HeadInput kInput = HeadInput::linear_scores>
class RowHeadScores : public HeadScores {
 public:
  HeadInput input() const final { return kInput; }
  void score(const HeadRow<double>& row, const RowWork& work, std::span<double> out) const final {
    score_any(row, work, out);
  }
  void score(const HeadRow<long double>& row, const RowWork& work,
             std::span<double> out) const final {
    score_any(row, work, out);
  }

 private:
  template <class Real>
  void score_any(const HeadRow<Real>& row, const RowWork& work, std::span<double> out) const {
    work.check();
    std::ranges::fill(out, 0.0);
    static_cast<const Own&>(*this).score_row(row, work, out);
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

/// Of a row and a column of the weights, by their product.
template <class Real>
Real squared_distance(Real squared_length, Real product, double other_squared_length) {
  return std::max<Real>(0, squared_length - 2 * product + other_squared_length);
}

/// As HeadKind::scores.
std::unique_ptr<HeadScores> head_scores(const Head& head, const HeadShape& shape);

}  // namespace mugrad
