// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "experiment/calibration.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

/// The setting and what else decides how its models are trained.
struct Setting {
  const Dataset& data;
  const Method& method;
  const OptionValues& values;
  const TrainingExtras& extras;
};

/// Models trained on inner parts of the data, with the rows that each has not seen.
class InnerModels {
 public:
  InnerModels(const Setting& setting, const TuneOptions& options, Progress* progress)
      : threads_(options.threads) {
    OptionValues values = setting.values;
    values.merge(search_of(setting.method.traits(), values, false).trial_only);
    TrainingExtras extras = setting.extras;
    extras.start = nullptr;  // it may know the rows of the inner test parts
    auto splits = inner_splits(setting.data, options.inner);
    Stages stages(progress);
    for (Index part = 0; part < splits.count(); ++part) {
      stages.enter(share_of(part, splits.count()), share_of(part + 1, splits.count()));
      Split split = take(setting.data, splits.at(part));
      models_.push_back(setting.method.fit(split.train, values, extras, threads_, &stages));
      unseen_.push_back(std::move(split.test));
    }
  }

  ScoreRange range() const { return score_range(models_.front().contents()); }

  void calibrate(const Calibration& calibration) {
    for (Model& model : models_) model = model.with_calibration(calibration);
  }

  /// Calls add(scores, labels, unknown labels) for every row.
  template <class Add>
  void score_unseen(Progress* progress, const Add& add) const {
    constexpr Index kRowsAtOnce = 1024;
    for (std::size_t part = 0; part < models_.size(); ++part) {
      const Dataset& test = unseen_[part];
      Scorer scorer(models_[part], threads_);
      Matrix<double> scores(std::min(kRowsAtOnce, test.rows()), test.labels());
      for (Index begin = 0; begin < test.rows(); begin += kRowsAtOnce) {
        const Index end = std::min(test.rows(), begin + kRowsAtOnce);
        advance(progress, 0);
        scorer.scores(test.x, begin, end, scores);
        for (Index row = begin; row < end; ++row) {
          add(scores.row(row - begin), test.y.row(row), test.unknown_of(row));
        }
      }
    }
  }

 private:
  Threads threads_;
  std::vector<Model> models_;
  std::vector<Dataset> unseen_;
};

/// The model with calibrated scores and chosen thresholds, as far as the options ask for them.
Model decided(Model model, InnerModels inner, const TuneOptions& options, Progress* progress) {
  if (options.calibrate) {
    CalibrationCounts counts(model.labels(), inner.range());
    inner.score_unseen(progress, [&](auto... row) { counts.add(row...); });
    ThreadPool pool(options.threads);
    const Calibration calibration = counts.fit(pool);
    if (!calibration.is_empty()) {
      model = model.with_calibration(calibration);
      inner.calibrate(calibration);
    }
  }
  if (options.thresholds == ThresholdRule::keep) return model;
  ThresholdCounts counts(model.labels(), inner.range(), model.contents().thresholds.front());
  inner.score_unseen(progress, [&](auto... row) { counts.add(row...); });
  return model.with_thresholds(counts.choose(options.thresholds, options.threshold_metric,
                                             options.metric.convention, options.threshold_target));
}

}  // namespace

bool has_enough_for_inner_folds(const Dataset& data, const InnerProtocol& protocol) {
  constexpr Index kLeastPositives = 20;
  return data.rows() >= 2 * std::max<Index>(protocol.folds, 1) && data.y.ones() >= kLeastPositives;
}

Model fit_by_inner_folds(const Dataset& data, const Method& method, const OptionValues& values,
                         const TrainingExtras& extras, const TuneOptions& options,
                         Progress* progress) {
  const bool asks = options.calibrate || options.thresholds != ThresholdRule::keep;
  if (!asks || !has_enough_for_inner_folds(data, options.inner)) {
    return method.fit(data, values, extras, options.threads, progress);
  }
  // The training parts of k folds have k - 1 times the rows of the data.
  const double whole = 1 / static_cast<double>(std::max<Index>(2, options.inner.folds));
  constexpr double kScoring = 0.02;
  Stages stages(progress, Stages::Iterates::passed_on);
  stages.enter(0, whole);
  Model model = method.fit(data, values, extras, options.threads, &stages);
  stages.enter(whole, 1 - kScoring);
  std::optional<InnerModels> inner;
  try {
    inner.emplace(Setting{data, method, values, extras}, options, &stages);
  } catch (const DivergenceError& error) {
    ModelContents contents = model.contents();
    contents.report.warnings.push_back(
        fmt::format("scores were not calibrated and thresholds not chosen: {}", error.what()));
    return Model(std::move(contents));
  }
  stages.enter(1 - kScoring, 1);
  return decided(std::move(model), std::move(*inner), options, &stages);
}

Model fit_as_tried(const Dataset& data, const Method& method, const Trial& trial,
                   const TuneOptions& options, Progress* progress) {
  if (options.calibrate) {
    return fit_by_inner_folds(data, method, trial.values, {}, options, progress);
  }
  const Model model = method.fit(data, trial.values, options.threads, progress);
  return trial.thresholds.empty() ? model : model.with_thresholds(trial.thresholds);
}

}  // namespace mugrad
