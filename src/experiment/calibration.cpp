// SPDX-License-Identifier: MIT
#include "experiment/calibration.h"

#include "experiment/known_labels.h"
#include "learner/platt_scaling.h"
#include "objective/logistic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

/// Half of the range of the bins, in asinh of inputs: 500 times the scale. Near the middle, bins
/// are 0.01 of the scale wide, so that they tell scores apart that are all near a base rate.
constexpr double kMostAsinh = 6.9;

/// Slopes below this would make probabilities independent of scores.
constexpr double kLeastSlope = 1e-3;

using Bins = std::vector<DecisionBin>;

/// Signs differ: Platt's probability falls with slope and shift.
double slope_of(const PlattScaling& scaling) { return -scaling.slope; }

bool is_usable(const PlattScaling& scaling) {
  return slope_of(scaling) >= kLeastSlope && slope_of(scaling) <= Calibration::kMost &&
         std::fabs(scaling.shift) <= Calibration::kMost;
}

bool has_both_classes(const Bins& bins) {
  const auto has = [&](double DecisionBin::*count) {
    return std::ranges::any_of(bins, [&](const DecisionBin& bin) { return bin.*count > 0; });
  };
  return has(&DecisionBin::positives) && has(&DecisionBin::negatives);
}

/// With Platt's targets, (P + 1) / (P + 2) for the P positives and 1 / (N + 2) for the N negatives:
/// scores that separate the classes do not become certainties.
Bins smoothed(Bins bins) {
  double positives = 0, negatives = 0;
  for (const DecisionBin& bin : bins) {
    positives += bin.positives;
    negatives += bin.negatives;
  }
  const double high = (positives + 1) / (positives + 2), low = 1 / (negatives + 2);
  for (DecisionBin& bin : bins) {
    const double count = bin.positives + bin.negatives;
    bin.positives = high * bin.positives + low * bin.negatives;
    bin.negatives = count - bin.positives;
  }
  return bins;
}

double count_of(const Bins& bins) {
  double count = 0;
  for (const DecisionBin& bin : bins) count += bin.positives + bin.negatives;
  return count;
}

double log_loss(const Bins& bins, const PlattScaling& scaling) {
  double sum = 0;
  for (const DecisionBin& bin : bins) {
    const double log_odds = -(scaling.slope * bin.decision + scaling.shift);
    sum += bin.positives * LogisticLoss::value(log_odds, true) +
           bin.negatives * LogisticLoss::value(log_odds, false);
  }
  return sum;
}

/// Lines of the labels, drawn towards the common one, and how much they differ from it.
class ShrunkLines {
 public:
  ShrunkLines(const PlattScaling& common, std::size_t labels)
      : prior_{.scaling = common, .slope_variance = kFirst, .shift_variance = kFirst},
        lines_(labels, prior_) {}

  template <class BinsOf>
  void fit(const BinsOf& bins_of, ThreadPool& pool) {
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round) {
      if (round > 0) update_variances();
      pool.run(std::ssize(lines_), [&](Index label) {
        lines_[as_size(label)] = fit_platt_scaling(bins_of(as_size(label)), prior_);
      });
    }
  }

  const PlattScaling& of(std::size_t label) const { return lines_[label].scaling; }
  /// How many parameters the examples have effectively chosen: this is also by how much the log
  /// loss of the same examples is too low, on average (Akaike).
  double parameters() const noexcept {
    double count = 0;
    for (const PlattEstimate& line : lines_) {
      count += 2 - line.slope_variance / prior_.slope_variance -
               line.shift_variance / prior_.shift_variance;
    }
    return count;
  }

 private:
  static constexpr double kFirst = 0.04;  ///< variances before any label was seen
  static constexpr double kLeast = 1e-4;

  /// The expected squared distances from the common line.
  void update_variances() {
    double slope = 0, shift = 0;
    for (const PlattEstimate& line : lines_) {
      slope += std::pow(line.scaling.slope - prior_.scaling.slope, 2) + line.slope_variance;
      shift += std::pow(line.scaling.shift - prior_.scaling.shift, 2) + line.shift_variance;
    }
    const auto count = static_cast<double>(lines_.size());
    prior_.slope_variance = std::max(kLeast, slope / count);
    prior_.shift_variance = std::max(kLeast, shift / count);
  }

  PlattEstimate prior_;
  std::vector<PlattEstimate> lines_;
};

}  // namespace

CalibrationCounts::CalibrationCounts(Index labels, const ScoreRange& range)
    : labels_(labels),
      are_probabilities_(range.are_probabilities),
      middle_(range.are_probabilities ? 0 : range.middle),
      scale_(range.are_probabilities ? 2 : (range.high - range.low) / 2),
      positives_(as_size(labels) * kBins),
      negatives_(positives_.size()) {}

std::size_t CalibrationCounts::place(std::size_t label, std::size_t bin) const noexcept {
  return label * kBins + bin;
}

void CalibrationCounts::add(std::span<const double> inputs, std::span<const LabelId> truth,
                            std::span<const LabelId> unknown) {
  for_each_known_label(inputs.size(), truth, unknown, [&](std::size_t label, bool is_true) {
    const double share = (std::asinh((inputs[label] - middle_) / scale_) / kMostAsinh + 1) / 2;
    const double bin =
        std::clamp(share * static_cast<double>(kBins), 0.0, static_cast<double>(kBins - 1));
    ++(is_true ? positives_ : negatives_)[place(label, static_cast<std::size_t>(bin))];
  });
}

double CalibrationCounts::centre(std::size_t bin) const noexcept {
  const double share = (static_cast<double>(bin) + 0.5) / static_cast<double>(kBins);
  return middle_ + scale_ * std::sinh(kMostAsinh * (2 * share - 1));
}

Bins CalibrationCounts::bins_of(std::size_t label) const {
  Bins bins;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const auto at = place(label, bin);
    if (positives_[at] + negatives_[at] == 0) continue;
    bins.push_back(
        {centre(bin), static_cast<double>(positives_[at]), static_cast<double>(negatives_[at])});
  }
  return bins;
}

Bins CalibrationCounts::bins_of_all() const {
  Bins all(kBins);
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    all[bin].decision = centre(bin);
    for (std::size_t label = 0; label < as_size(labels_); ++label) {
      all[bin].positives += positives_[place(label, bin)];
      all[bin].negatives += negatives_[place(label, bin)];
    }
  }
  return all;
}

std::vector<Index> CalibrationCounts::numbers() const {
  std::vector<Index> result;
  result.reserve(as_size(labels_) * numbers_per_label());
  for (std::size_t label = 0; label < as_size(labels_); ++label) {
    for (const auto* const rows : {&positives_, &negatives_}) {
      const auto begin = rows->begin() + as_index(place(label, 0));
      result.insert(result.end(), begin, begin + as_index(kBins));
    }
  }
  return result;
}

void CalibrationCounts::add_numbers(LabelId label, std::span<const Index> numbers) {
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const auto at = place(as_size(label), bin);
    positives_[at] += static_cast<std::uint32_t>(numbers[bin]);
    negatives_[at] += static_cast<std::uint32_t>(numbers[kBins + bin]);
  }
}

Calibration CalibrationCounts::fit(ThreadPool& pool) const {
  // The shares of the log loss that the common line, and then the lines of the labels, must save.
  constexpr double kWorthwhile = 0.025, kWorthOwnLines = 0.05;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const PlattScaling identity{.slope = -1, .shift = 0};
  const Bins all = bins_of_all();
  if (!has_both_classes(all)) return {};
  const auto common = fit_platt_scaling(
      smoothed(all),
      {.scaling = identity, .slope_variance = kInfinity, .shift_variance = kInfinity});
  if (!is_usable(common.scaling)) return {};
  const double common_loss = log_loss(all, common.scaling);
  ShrunkLines lines(common.scaling, as_size(labels_));
  lines.fit([&](std::size_t label) { return bins_of(label); }, pool);
  double loss = lines.parameters();
  for (std::size_t label = 0; label < as_size(labels_); ++label) {
    loss += log_loss(bins_of(label), lines.of(label));
  }
  const bool has_own_lines = loss < (1 - kWorthOwnLines) * common_loss;
  // Schwarz's criterion for the two parameters of the common line.
  const double chance = std::log(count_of(all));
  if (are_probabilities_ &&
      (has_own_lines ? loss : common_loss) + chance > (1 - kWorthwhile) * log_loss(all, identity)) {
    return {};
  }
  Calibration calibration;
  for (std::size_t label = 0; label < as_size(labels_); ++label) {
    const PlattScaling& line = has_own_lines ? lines.of(label) : common.scaling;
    calibration.slope.push_back(std::clamp(slope_of(line), kLeastSlope, Calibration::kMost));
    calibration.shift.push_back(std::clamp(-line.shift, -Calibration::kMost, Calibration::kMost));
  }
  return calibration;
}

}  // namespace mugrad
