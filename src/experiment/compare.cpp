// SPDX-License-Identifier: MIT
#include "experiment/shares.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// What people compare by, all of it under scikit-learn's convention, and macro-F1 under Mulan's,
/// which counts a label that is neither there nor predicted as perfect.
std::map<std::string, double> metrics_of(const Model& model, const Dataset& test, Threads threads) {
  const auto scores = model.scores(test.x, threads);
  const BinaryMatrix* unknown = test.unknown.rows() == 0 ? nullptr : &test.unknown;
  EvaluateOptions options{.thresholds = model.contents().thresholds, .at = {}};
  std::map<std::string, double> metrics;
  for (const auto& metric : evaluate(scores, test.y, options, unknown).metrics) {
    metrics[metric.name] = metric.value;
  }
  options.convention = Convention::mulan;
  metrics["macro-f1 (mulan)"] = evaluate(scores, test.y, options, unknown)["macro-f1"];
  return metrics;
}

std::string thresholds_text(const std::vector<double>& thresholds) {
  const auto [least, most] = std::ranges::minmax(thresholds);
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

}  // namespace

std::string to_text(const OuterProtocol& protocol) {
  const char* kind = protocol.stratified ? "stratified" : "random";
  if (protocol.folds > 0) {
    return fmt::format("{} {} folds, {} times, seed {}", protocol.folds, kind, protocol.repeats,
                       protocol.seed);
  }
  return fmt::format("{} {} splits, {:g} % to train on, seed {}", protocol.repeats, kind,
                     100 * protocol.train, protocol.seed);
}

std::vector<SplitRows> outer_splits(const Dataset& data, const OuterProtocol& protocol) {
  std::vector<SplitRows> splits;
  for (Index repeat = 0; repeat < protocol.repeats; ++repeat) {
    const std::uint64_t seed = protocol.seed + static_cast<std::uint64_t>(repeat);
    if (protocol.folds > 0) {
      for (auto& fold : protocol.stratified ? stratified_k_fold_rows(data.y, protocol.folds, seed)
                                            : k_fold_rows(data.rows(), protocol.folds, seed)) {
        splits.push_back(std::move(fold));
      }
      continue;
    }
    const SplitOptions options{.train = protocol.train, .seed = seed};
    splits.push_back(protocol.stratified ? stratified_split_rows(data.y, options)
                                         : random_split_rows(data.rows(), options));
  }
  return splits;
}

Record run_once(const Split& split, const Contender& contender, Threads threads,
                Observer* observer) {
  const Method& method = method_named(contender.method);
  Record record;
  try {
    Trial chosen;
    // Most of the work is in the trials, by and large.
    PartOfShares tuning_share(observer, 0, contender.is_tuned() ? 0.9 : 0);
    PartOfShares training_share(observer, contender.is_tuned() ? 0.9 : 0, 1);
    if (contender.is_tuned()) {
      TuneOptions options = contender.tuning;
      options.threads = threads;
      chosen = tune(split.train, method, options, &tuning_share).best_trial();
    } else {
      chosen.values = contender.tuning.search.fixed;
    }
    const Model model = fit_as_tried(split.train, method, chosen, threads, &training_share);
    record.options = chosen.values;
    record.thresholds = thresholds_text(model.contents().thresholds);
    record.metrics = metrics_of(model, split.test, threads);
  } catch (const InterruptedError&) {
    throw;
  } catch (const Error& error) {
    record.failure = error.what();
  }
  return record;
}

}  // namespace mugrad
