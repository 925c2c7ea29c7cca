// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "data/suspicious_columns.h"
#include "experiment/held_out_counts.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mugrad {
namespace {

/// The setting and what else decides how its models are trained.
struct TrainedSetting {
  const Dataset& data;
  const Method& method;
  const OptionValues& values;
  const TrainingExtras& extras;
};

/// Trains on inner parts of the data, and counts the scores of the rows that each model has not
/// seen.
HeldOutCounts count_held_out(const TrainedSetting& setting, const Model& model,
                             const TuneOptions& options, Progress* progress) {
  const auto& contents = model.contents();
  HeldOutCounts counts(model.labels(), contents.head, contents.thresholds.front(), options);
  OptionValues values = setting.values;
  values.merge(search_of(setting.method.traits(), values, false).trial_only);
  TrainingExtras extras = setting.extras;
  extras.start = nullptr;  // it may know the rows of the inner test parts
  auto splits = inner_splits(setting.data, options.inner);
  const Index parts = splits_to_decide(setting.data.rows(), options);
  Stages stages(progress);
  for (Index part = 0; part < parts; ++part) {
    stages.enter(share_of(part, parts), share_of(part + 1, parts));
    const auto [train, test] = take(setting.data, splits.at(part));
    const Model inner = setting.method.fit(train, values, extras, options.threads, &stages);
    stages.enter(share_of(part + 1, parts), share_of(part + 1, parts));
    counts.add_rows(inner, test, options.threads, &stages);
  }
  return counts;
}

/// The model with what is known of the data that it was trained on.
Model finished(ModelContents contents, const Dataset& data) {
  contents.trained_on = sample_of(data.x, data.row_weights);
  std::ranges::move(suspicious_columns(data), std::back_inserter(contents.report.warnings));
  return Model(std::move(contents));
}

}  // namespace

bool has_enough_for_inner_folds(const Dataset& data, const InnerProtocol& protocol) {
  constexpr Index kLeastPositives = 20;
  return data.rows() >= 2 * std::max<Index>(protocol.folds, 1) && data.y.ones() >= kLeastPositives;
}

Index splits_to_decide(Index rows, const TuneOptions& options) {
  const InnerProtocol& inner = options.inner;
  const bool is_common = options.thresholds != ThresholdRule::per_label;
  if (inner.folds <= 1 || inner.enough_rows == 0 || !is_common) return inner.folds;
  // As many as in the smallest fold.
  const Index held_out = std::max<Index>(1, rows / inner.folds);
  return std::min(inner.folds, (inner.enough_rows + held_out - 1) / held_out);
}

double share_of_deciding(Index rows, const TuneOptions& options) {
  const auto folds = static_cast<double>(options.inner.folds);
  const double trained_on = options.inner.folds <= 1 ? options.inner.train : 1 - 1 / folds;
  const double parts = trained_on * static_cast<double>(splits_to_decide(rows, options));
  return parts / (1 + parts);
}

Model fit_by_inner_folds(const Dataset& data, const Method& method, const OptionValues& values,
                         const TrainingExtras& extras, const TuneOptions& given,
                         Progress* progress) {
  TuneOptions options = given;
  // Counts have no weights: a calibration would undo those of the training.
  if (!data.row_weights.empty()) options.calibrate = false;
  const bool asks = options.calibrate || options.thresholds != ThresholdRule::keep;
  if (!asks || !has_enough_for_inner_folds(data, options.inner)) {
    return finished(method.fit(data, values, extras, options.threads, progress).contents(), data);
  }
  const double whole = 1 - share_of_deciding(data.rows(), options);
  Stages stages(progress, Stages::Iterates::passed_on);
  stages.enter(0, whole);
  const Model model = method.fit(data, values, extras, options.threads, &stages);
  stages.enter(whole, 1);
  ModelContents contents = model.contents();
  try {
    const auto counts = count_held_out({data, method, values, extras}, model, options, &stages);
    ThreadPool pool(options.threads);
    apply(counts.decide(options, pool), contents);
  } catch (const DivergenceError& error) {
    contents.report.warnings.push_back(
        fmt::format("scores were not calibrated and thresholds not chosen: {}", error.what()));
  }
  return finished(std::move(contents), data);
}

Model fit_as_tried(const Dataset& data, const Method& method, const Trial& trial,
                   const TuneOptions& options, Progress* progress) {
  const bool was_tried = trial.parts > 0 && has_enough_for_inner_folds(data, options.inner);
  if (options.calibrate && was_tried) {
    const bool is_counted = trial.held_out != nullptr && data.row_weights.empty();
    if (!is_counted) return fit_by_inner_folds(data, method, trial.values, {}, options, progress);
    const Model model = method.fit(data, trial.values, options.threads, progress);
    ModelContents contents = model.contents();
    ThreadPool pool(options.threads);
    apply(trial.held_out->decide(options, pool), contents);
    return finished(std::move(contents), data);
  }
  const Model model = method.fit(data, trial.values, options.threads, progress);
  const bool keeps = trial.thresholds.empty();
  return finished(keeps ? model.contents() : model.with_thresholds(trial.thresholds).contents(),
                  data);
}

}  // namespace mugrad
