// SPDX-License-Identifier: MIT
#include "metric/convention.h"
#include "metric/label_based.h"
#include "metric/ranking.h"
#include "metric/top_labels.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

/// A mean over the rows that a convention counts.
struct RowMean {
  double sum = 0;
  Index counted = 0;
  Index skipped = 0;

  void add(double value) {
    sum += value;
    ++counted;
  }
  void add(const std::optional<double>& value) {
    if (value) {
      add(*value);
    } else {
      ++skipped;
    }
  }
  MetricValue named(std::string name) const {
    const double mean = counted == 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : sum / static_cast<double>(counted);
    return {.name = std::move(name), .value = mean, .skipped = skipped};
  }
};

struct AtK {
  Index k = 0;
  RowMean precision;
  RowMean ndcg;
};

void check_thresholds(Index labels, const EvaluateOptions& options) {
  const auto count = static_cast<Index>(options.thresholds.size());
  if (count != 0 && count != labels) {
    throw UsageError(fmt::format("there are {} thresholds for {} labels", count, labels));
  }
  if (std::isnan(options.threshold)) throw UsageError("the threshold is not a number");
  for (Index label = 0; label < count; ++label) {
    if (std::isnan(options.thresholds[static_cast<std::size_t>(label)])) {
      throw UsageError(fmt::format("the threshold of label {} is not a number", label));
    }
  }
}

/// The k there are enough labels for, each once, in the order given.
std::vector<Index> usable_ks(Index labels, const std::vector<Index>& at) {
  std::vector<Index> usable;
  for (const Index k : at) {
    if (k < 1) throw UsageError(fmt::format("the k of precision@k must be >= 1, got {}", k));
    if (k <= labels && std::ranges::count(usable, k) == 0) usable.push_back(k);
  }
  return usable;
}

Index checked_labels(Index labels) {
  if (labels < 1) {
    throw UsageError(fmt::format("there must be at least 1 label to evaluate, got {}", labels));
  }
  return labels;
}

}  // namespace

struct Evaluator::State {
  State(Index label_count, EvaluateOptions given)
      : labels(checked_labels(label_count)),
        options(std::move(given)),
        rules(rules_of(options.convention)),
        ks(usable_ks(labels, options.at)),
        counts(static_cast<std::size_t>(labels)),
        ranking(labels),
        top(labels, ks, rules.average_ties_at_k) {
    check_thresholds(labels, options);
    for (const Index k : ks) at_k.push_back({.k = k, .precision = {}, .ndcg = {}});
  }

  void check(std::span<const double> scores, std::span<const LabelId> truth) const;
  void judge_ranking(std::span<const double> scores, std::span<const LabelId> truth);
  template <class Judge>
  void judge(RowMean& mean, const RankingRule& rule, std::size_t relevant, Judge of_places);
  void judge_top(std::span<const double> scores, std::span<const LabelId> truth);
  void judge_decisions(std::span<const double> scores, std::span<const LabelId> truth);
  std::vector<MetricValue> metrics() const;

  Index labels;
  EvaluateOptions options;
  const ConventionRules& rules;
  std::vector<Index> ks;

  Index rows = 0;
  Index rows_without_labels = 0;
  Index rows_with_all_labels = 0;
  RowMean average_precision_mean;
  RowMean coverage_mean;
  RowMean ranking_loss_mean;
  RowMean one_error_mean;
  RowMean wrong_labels_mean;
  RowMean exact_rows_mean;
  std::vector<AtK> at_k;
  std::vector<LabelCounts> counts;

  RowRanking ranking;
  TopLabels top;
};

void Evaluator::State::check(std::span<const double> scores, std::span<const LabelId> truth) const {
  if (static_cast<Index>(scores.size()) != labels) {
    throw UsageError(
        fmt::format("row {} has {} scores for {} labels", rows, scores.size(), labels));
  }
  for (std::size_t label = 0; label < scores.size(); ++label) {
    if (std::isnan(scores[label])) {
      throw UsageError(fmt::format("row {}: the score of label {} is not a number", rows, label));
    }
  }
  Index before = -1;
  for (const LabelId label : truth) {
    if (label <= before || label >= labels) {
      throw UsageError(
          fmt::format("row {}: true label {} after {} where labels ascend from 0 to {}", rows,
                      label, before, labels - 1));
    }
    before = label;
  }
}

template <class Judge>
void Evaluator::State::judge(RowMean& mean, const RankingRule& rule, std::size_t relevant,
                             Judge of_places) {
  if (relevant == 0) {
    mean.add(rule.without_labels);
  } else if (static_cast<Index>(relevant) == labels && !rule.full_rows_count) {
    ++mean.skipped;
  } else {
    mean.add(of_places(ranking.places(rule.ties)));
  }
}

void Evaluator::State::judge_ranking(std::span<const double> scores,
                                     std::span<const LabelId> truth) {
  if (!truth.empty()) ranking.assign(scores, truth);
  const auto relevant = truth.size();
  judge(average_precision_mean, rules.average_precision, relevant,
        [](auto places) { return average_precision(places); });
  judge(coverage_mean, rules.coverage, relevant, [](auto places) { return coverage(places); });
  judge(ranking_loss_mean, rules.ranking_loss, relevant,
        [this](auto places) { return ranking_loss(places, labels); });
  judge(one_error_mean, rules.one_error, relevant, [](auto places) { return one_error(places); });
}

void Evaluator::State::judge_top(std::span<const double> scores, std::span<const LabelId> truth) {
  top.assign(scores, truth);
  for (AtK& at : at_k) {
    at.precision.add(top.precision(at.k));
    at.ndcg.add(top.ndcg(at.k));
  }
}

void Evaluator::State::judge_decisions(std::span<const double> scores,
                                       std::span<const LabelId> truth) {
  auto next_relevant = truth.begin();
  Index wrong = 0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const double threshold = options.thresholds.empty() ? options.threshold : options.thresholds[l];
    const bool predicted = scores[l] >= threshold;
    const bool relevant = next_relevant != truth.end() && *next_relevant == static_cast<LabelId>(l);
    if (relevant) ++next_relevant;
    LabelCounts& count = counts[l];
    count.true_positives += predicted && relevant ? 1 : 0;
    count.false_positives += predicted && !relevant ? 1 : 0;
    count.false_negatives += !predicted && relevant ? 1 : 0;
    wrong += predicted != relevant ? 1 : 0;
  }
  wrong_labels_mean.add(static_cast<double>(wrong));
  exact_rows_mean.add(wrong == 0 ? 1.0 : 0.0);
}

std::vector<MetricValue> Evaluator::State::metrics() const {
  const auto of_labels = [this](std::string name, auto metric) {
    const double value = rows == 0 ? std::numeric_limits<double>::quiet_NaN()
                                   : metric(counts, rules.nothing_over_nothing);
    return MetricValue{.name = std::move(name), .value = value, .skipped = 0};
  };
  std::vector<MetricValue> result;
  result.push_back(average_precision_mean.named("average-precision"));
  MetricValue coverage_value = coverage_mean.named("coverage");
  // Under lamda, rows without labels can pull the mean below zero; a comparison keeps NaN.
  if (coverage_value.value < 0) coverage_value.value = 0;
  coverage_value.value /= static_cast<double>(labels);
  result.push_back(coverage_value);
  result.push_back(ranking_loss_mean.named("ranking-loss"));
  result.push_back(one_error_mean.named("one-error"));
  result.push_back(of_labels("macro-f1", macro_f1));
  result.push_back(of_labels("micro-f1", micro_f1));
  MetricValue hamming_loss = wrong_labels_mean.named("hamming-loss");
  hamming_loss.value /= static_cast<double>(labels);
  result.push_back(hamming_loss);
  result.push_back(exact_rows_mean.named("subset-accuracy"));
  for (const AtK& at : at_k)
    result.push_back(at.precision.named(fmt::format("precision@{}", at.k)));
  for (const AtK& at : at_k) result.push_back(at.ndcg.named(fmt::format("ndcg@{}", at.k)));
  return result;
}

Evaluator::Evaluator(Index labels, EvaluateOptions options)
    : state_(std::make_unique<State>(labels, std::move(options))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::add(std::span<const double> scores, std::span<const LabelId> truth) {
  state_->check(scores, truth);
  state_->judge_ranking(scores, truth);
  state_->judge_top(scores, truth);
  state_->judge_decisions(scores, truth);
  ++state_->rows;
  if (truth.empty()) ++state_->rows_without_labels;
  if (truth.size() == scores.size()) ++state_->rows_with_all_labels;
}

Evaluation Evaluator::finish() const {
  Evaluation result;
  result.convention = state_->options.convention;
  result.thresholds = state_->options.thresholds;
  if (result.thresholds.empty()) result.thresholds = {state_->options.threshold};
  result.rows = state_->rows;
  result.labels = state_->labels;
  result.rows_without_labels = state_->rows_without_labels;
  result.rows_with_all_labels = state_->rows_with_all_labels;
  for (const LabelCounts& counts : state_->counts) {
    result.per_label.push_back(quality(counts, state_->rules.nothing_over_nothing));
    if (result.per_label.back().positives == 0) ++result.labels_without_positives;
  }
  result.metrics = state_->metrics();
  return result;
}

Evaluation evaluate(const Matrix<double>& scores, const BinaryMatrix& truth,
                    const EvaluateOptions& options) {
  if (scores.rows() != truth.rows()) {
    throw UsageError(
        fmt::format("the scores have {} rows, the truth has {}", scores.rows(), truth.rows()));
  }
  if (scores.cols() != truth.cols) {
    throw UsageError(
        fmt::format("the scores have {} labels, the truth has {}", scores.cols(), truth.cols));
  }
  Evaluator evaluator(truth.cols, options);
  for (Index row = 0; row < truth.rows(); ++row) evaluator.add(scores.row(row), truth.row(row));
  return evaluator.finish();
}

}  // namespace mugrad
