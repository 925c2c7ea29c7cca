// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/splits.h>
#include <mugrad/experiment/search_space.h>
#include <mugrad/experiment/thresholds.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/evaluate.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// How settings are compared: on parts of the data given that were not trained on.
struct InnerProtocol {
  Index folds = 3;     ///< 1: one split
  double train = 0.8;  ///< share of the rows that the one split trains on
  bool stratified = false;
  std::uint64_t seed = 1;
};

/// Requires: the data outlive the splits.
PlannedSplits inner_splits(const Dataset& data, const InnerProtocol& protocol);

struct Trial;

/// Others who try settings of the same search; every one of them calls `tune` with the same data
/// and options.
struct TuningPeers {
  std::size_t number = 0;  ///< of this one
  std::size_t count = 1;
  /// Completes the trials, of which each peer has tried those for which `tried` is not 0. They come
  /// and go without counts.
  std::function<void(std::vector<Trial>& trials, const std::vector<char>& tried)> exchange = {};
};

struct Tuning;

struct TuneOptions {
  Search search = {};      ///< what to try
  Index draws = 0;         ///< so many settings at random instead of every combination; 0: all
  std::uint64_t seed = 1;  ///< of the draws
  InnerProtocol inner = {};
  Metric metric = {};  ///< its convention is that of everything measured
  ThresholdRule thresholds = ThresholdRule::keep;
  ThresholdMetric threshold_metric = ThresholdMetric::f1;
  Threads threads = {};                ///< never changes the result
  const TuningPeers* peers = nullptr;  ///< null: there are none
  /// Told how settings did so far, after every inner part but the last, and when tuning is
  /// interrupted on the first: those that were judged, all on the same parts.
  std::function<void(const Tuning& so_far)> keep = {};
};

/// How one setting did.
struct Trial {
  OptionValues values = {};
  /// The metric on each inner test part, or one of all together where it depends on thresholds that
  /// are chosen.
  std::vector<double> scores = {};
  double mean = 0;                      ///< of the scores; NaN when it failed
  std::vector<double> thresholds = {};  ///< chosen from all inner test parts; empty: the method's
  std::string failure = {};             ///< why there is no score; empty: there is
  /// Every metric, averaged over the inner test parts, at the method's thresholds.
  std::map<Metric, double> metrics = {};
  /// What other thresholds would have predicted, when thresholds are chosen.
  std::optional<ThresholdCounts> counts = {};
};

struct Tuning {
  Metric metric = {};
  std::vector<Trial> trials = {};  ///< in the order of the settings
  Index parts = 0;                 ///< inner test parts that each was judged on
  std::size_t best = 0;

  const Trial& best_trial() const { return trials[best]; }
};

/// Tries settings of a method on inner parts of the data, several at once. A setting that diverges
/// has failed; anything else that a method throws is thrown here. Metrics that depend on
/// thresholds are those at the thresholds chosen; these are chosen from all inner test parts
/// together, so that of a setting with its own thresholds is a little too good.
/// `progress`, which may be null, is told what share of all is done. Throws InterruptedError when
/// it says so. Throws UsageError for a space, metric or
/// protocol that makes no sense, and DivergenceError when all settings diverge.
Tuning tune(const Dataset& data, const Method& method, const TuneOptions& options,
            Progress* progress = nullptr);

/// The trial that is best by another metric than the one tuned for, with thresholds chosen by that
/// metric where it depends on them, and as the options say otherwise. Throws as `tune`.
Trial best_for(const Metric& metric, const Tuning& tuning, const TuneOptions& options);

/// Trains on all of the data with a trial's setting and thresholds.
Model fit_as_tried(const Dataset& data, const Method& method, const Trial& trial, Threads threads,
                   Progress* progress = nullptr);

}  // namespace mugrad
