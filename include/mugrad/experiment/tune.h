// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/splits.h>
#include <mugrad/experiment/thresholds.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/evaluate.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mugrad {

/// The settings of a method to try.
struct Search {
  std::vector<SearchStage> stages = {};  ///< empty: one setting, the fixed options
  OptionValues fixed = {};               ///< options that all settings share
  /// Options of trials only, usually a looser tolerance; the final training does not use them.
  OptionValues trial_only = {};
  /// Whether the stages are the usual ones of the method. Representations that do not suit the data
  /// are then left out. If there are several inner parts, a path along one option ends on the first
  /// one after two settings that are worse than its best, and settings in the worse half are not
  /// tried on the others.
  bool is_usual = false;
};

/// Parses options as users write them: "0.001,0.01,0.1" lists values to try, "0.001..1" is a range,
/// and anything else is fixed. With `usual` and nothing listed, the search is the method's usual
/// one without the fixed options. Trials use the method's trial tolerance unless the tolerance or
/// the solver is given. Throws UsageError for a malformed list or range.
Search search_of(const MethodTraits& method, const OptionValues& given, bool usual = true);

/// The options in which settings differ.
std::vector<std::string> searched_options(const Search& search);

/// Every setting of a stage with these fixed options; the last dimension changes fastest. Throws
/// UsageError for a range, for an option that is fixed or named twice, and for more than a million
/// combinations.
std::vector<OptionValues> all_settings(const SearchStage& stage, const OptionValues& fixed = {});

/// Draws `count` different settings at random, or fewer if hardly any others exist.
std::vector<OptionValues> drawn_settings(const SearchStage& stage, const OptionValues& fixed,
                                         Index count, std::uint64_t seed);

/// "rho 0.1, sigma 0.3".
std::string settings_text(const OptionValues& values);

/// How settings are compared: on parts of the given data that were not trained on.
struct InnerProtocol {
  Index folds = 3;     ///< 1: a single split
  double train = 0.8;  ///< share of the rows in the training part of a single split
  bool stratified = false;
  std::uint64_t seed = 1;
  /// Thresholds and calibrations that all labels share need no further fold once so many rows have
  /// been held out. 0: they take every fold. Tuning always does.
  Index enough_rows = 5000;
};

/// Requires: `data` outlives the splits.
PlannedSplits inner_splits(const Dataset& data, const InnerProtocol& protocol);

struct Trial;

/// Processes that share the trials of one search; each of them calls `tune` with the same data and
/// options.
struct TuningPeers {
  std::size_t number = 0;  ///< of this peer
  std::size_t count = 1;
  /// Completes the trials. `tried` is not 0 for the trials of this peer. Trials are exchanged
  /// without their counts.
  std::function<void(std::vector<Trial>& trials, const std::vector<char>& tried)> exchange = {};
};

struct Tuning;

struct TuneOptions {
  Search search = {};      ///< what to try
  Index draws = 0;         ///< number of random settings of every stage; 0: every combination
  std::uint64_t seed = 1;  ///< of the random settings
  InnerProtocol inner = {};
  Metric metric = {};  ///< its convention applies to all metrics
  /// Tune for every metric separately: `best_for` then finds the best of each. Trials then also
  /// have the metrics for which all scores are kept, unless there are more than kUsualKeptScores;
  /// otherwise only `metric` may be one of these.
  bool for_each_metric = false;
  /// Calibrate the scores of the final model; trials are evaluated without.
  bool calibrate = false;
  ThresholdRule thresholds = ThresholdRule::keep;
  ThresholdMetric threshold_metric = ThresholdMetric::f1;
  std::optional<ThresholdTarget> threshold_target = {};  ///< instead of the metric of thresholds
  Threads threads = {};                                  ///< never changes the result
  const TuningPeers* peers = nullptr;                    ///< null: no peers
  /// Inputs of every training that are not text; only if nothing is searched.
  TrainingExtras extras = {};
  /// Receives the intermediate result after every inner part but the last of the last stage, and if
  /// tuning is interrupted during the first: the settings evaluated so far, all on the same parts.
  std::function<void(const Tuning& so_far)> keep = {};
  /// Ends tuning with the settings evaluated so far; asked often. Null: no limit.
  std::function<bool()> is_out_of_time = {};
};

class HeldOutCounts;

/// The result of one setting.
struct Trial {
  OptionValues values = {};
  /// The metric on each inner test part, or a single value over all parts if it depends on chosen
  /// thresholds.
  std::vector<double> scores = {};
  double mean = 0;                      ///< of the scores; NaN if it failed
  std::vector<double> thresholds = {};  ///< chosen from all inner test parts; empty: the method's
  std::string failure = {};             ///< why there is no score; empty: success
  Index parts = 0;                      ///< number of inner test parts that it was evaluated on
  /// The metrics, averaged over the inner test parts, at the method's thresholds.
  std::map<Metric, double> metrics = {};
  /// The predictions of other thresholds, if thresholds are chosen.
  std::optional<ThresholdCounts> counts = {};
  /// For `fit_as_tried`: the scores of all inner test parts, if this is the best trial of its
  /// stage, scores are to be calibrated, and the models of the stage are small. Null:
  /// `fit_as_tried` trains on the inner folds once more.
  std::shared_ptr<const HeldOutCounts> held_out = {};
};

struct Tuning {
  Metric metric = {};
  std::vector<Trial> trials = {};  ///< in the order of the settings
  /// Trials on fewer inner test parts were dropped and are never the best.
  Index parts = 0;
  std::size_t best = 0;
  bool is_complete = true;  ///< all stages were tried; false: it was out of time

  const Trial& best_trial() const { return trials[best]; }
};

/// Evaluates settings of a method on inner parts of the data, several at once, stage by stage. If
/// it is out of time, the result has the stages that are complete, or else the inner parts that
/// are, or else the settings that were evaluated on the first part; without any, it has the fixed
/// options as its only trial, on no part. A setting that diverges has failed; any other error of a
/// method is rethrown. Metrics that depend on thresholds are those at the chosen thresholds.
/// Thresholds are chosen from all inner test parts together, so the metric of a setting with its
/// own thresholds is slightly optimistic. `progress`, which may be null, receives the share of the
/// whole work. Throws InterruptedError if it asks to stop, UsageError for an invalid space, metric
/// or protocol, and DivergenceError if all settings diverge.
Tuning tune(const Dataset& data, const Method& method, const TuneOptions& options,
            Progress* progress = nullptr);

/// The metrics that these trials were evaluated by, and macro-F1 under Mulan's convention, which
/// follows from their counts.
std::vector<Metric> tuned_metrics(const std::vector<Trial>& trials);

/// The best trial by another metric than the tuned one. If that metric depends on thresholds, they
/// are chosen by it; otherwise as the options say. Throws as `tune`.
Trial best_for(const Metric& metric, const Tuning& tuning, const TuneOptions& options);

/// Whether the data have enough rows and positives to decide anything by inner folds.
bool has_enough_for_inner_folds(const Dataset& data, const InnerProtocol& protocol);

/// On how many of the inner splits `fit_by_inner_folds` trains: see InnerProtocol::enough_rows. A
/// threshold of a label's own needs all of its positives, so that every split is used then.
Index splits_to_decide(Index rows, const TuneOptions& options);
/// The share of the work of `fit_by_inner_folds` that training on these splits is.
double share_of_deciding(Index rows, const TuneOptions& options);

/// Trains on all of the data with one setting. Then calibrates scores and chooses thresholds, which
/// refer to calibrated scores, as far as the options ask for them, by training on inner folds. If
/// there are too few positives, or, with a warning, if training on an inner fold diverges, scores
/// and thresholds are those of the method. Weights of examples do not count in the choice of
/// thresholds, and prevent a calibration. The search of the options is not used. The model has a
/// sample of the rows, and its report warns of columns that may give labels away. Throws what
/// `Method::fit` throws.
Model fit_by_inner_folds(const Dataset& data, const Method& method, const OptionValues& values,
                         const TrainingExtras& extras, const TuneOptions& options,
                         Progress* progress = nullptr);

/// The same with a trial's setting and thresholds; if the options ask for calibrated scores, with
/// thresholds for these. The models of the trial stand for those of the inner folds if they have
/// been counted: they were solved to the tolerance of trials, so that the decisions may differ
/// slightly.
Model fit_as_tried(const Dataset& data, const Method& method, const Trial& trial,
                   const TuneOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
