// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/panels.h"
#include "objective/logistic.h"

#include <mugrad/model/model.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace mugrad {

/// What a calibration is linear in: the log-odds of a score that is a probability, within limits,
/// and any other score itself, or one that is not finite.
inline double calibration_input(double score, bool is_probability) noexcept {
  constexpr double kLeast = 1e-9;
  if (!is_probability || !std::isfinite(score)) return score;
  const double p = std::clamp(score, kLeast, 1 - kLeast);
  return std::log(p / (1 - p));
}

/// Applies a calibration to the scores of a head.
class CalibratedScores {
 public:
  /// Requires: the calibration is not empty.
  CalibratedScores(const Calibration& calibration, const ScoreRange& of_head)
      : slope_(padded(calibration.slope)),
        shift_(padded(calibration.shift)),
        are_probabilities_(of_head.are_probabilities) {}

  /// The log-odds of the labels from `first` on, whose linear scores are in `rows` rows of `width`
  /// entries.
  void to_log_odds(Index rows, Index width, Index first, double* z) const noexcept {
    const double* const slope = slope_.data() + first;
    const double* const shift = shift_.data() + first;
    for (Index row = 0; row < rows; ++row, z += width) {
      for (Index k = 0; k < width; ++k) z[k] = slope[k] * z[k] + shift[k];
    }
  }
  /// The probability of a label with this linear score.
  double probability(Index label, long double z) const noexcept {
    return static_cast<double>(
        LogisticLoss::probability(slope_.data()[label] * z + shift_.data()[label]));
  }
  /// The probabilities of all labels, in place of their scores.
  void apply(std::span<double> scores) const noexcept {
    for (std::size_t label = 0; label < scores.size(); ++label) {
      if (!std::isfinite(scores[label])) continue;  // an error, not a probability
      const double u = calibration_input(scores[label], are_probabilities_);
      scores[label] = LogisticLoss::probability(slope_.data()[label] * u + shift_.data()[label]);
    }
  }

 private:
  static AlignedBuffer<double> padded(const std::vector<double>& numbers) {
    const Panels one = Panels::cut(std::ssize(numbers), kLine<double>, 1);
    AlignedBuffer<double> result(one.padded());
    std::fill_n(result.data(), result.size(), 0.0);
    std::ranges::copy(numbers, result.data());
    return result;
  }

  AlignedBuffer<double> slope_, shift_;
  bool are_probabilities_;
};

/// Calibrates the scores of a model that is not calibrated; each threshold becomes the probability
/// of a score that reaches it, and 0 and 1 stay what every or hardly any probability reaches.
/// Requires: the calibration has a slope and a shift for each label.
inline void calibrate(ModelContents& contents, Calibration calibration) {
  const ScoreRange range = score_range(contents.head);
  const auto before = contents.thresholds;
  CalibratedScores(calibration, range).apply(contents.thresholds);
  for (std::size_t label = 0; label < before.size() && range.are_probabilities; ++label) {
    if (before[label] <= 0 || before[label] >= 1) contents.thresholds[label] = before[label];
  }
  contents.calibration = std::move(calibration);
}

}  // namespace mugrad
