// SPDX-License-Identifier: MIT
#include "metric/convention.h"
#include "metric/input_checks.h"
#include "metric/label_based.h"
#include "metric/ranking.h"
#include "metric/top_labels.h"

#include <mugrad/core/error.h>
#include <mugrad/metric/evaluate.h>

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
  MetricValue as(const Metric& metric) const {
    const double mean = counted == 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : sum / static_cast<double>(counted);
    return {.metric = metric, .value = mean, .skipped = skipped};
  }
};

struct AtK {
  Index k = 0;
  RowMean precision;
  RowMean ndcg;
};

[[noreturn]] void refuse_metric(const std::vector<MetricValue>& metrics, std::string_view name) {
  std::vector<std::string> names;
  names.reserve(metrics.size());
  for (const MetricValue& value : metrics) names.push_back(value.metric.name());
  throw UsageError(fmt::format("there is no metric '{}' in this evaluation; there are {}", name,
                               fmt::join(names, ", ")));
}

}  // namespace

struct Evaluator::State {
  State(Index label_count, EvaluateOptions given)
      : labels(checked_labels(label_count)),
        options(std::move(given)),
        rules(rules_of(options.convention)),
        ks(usable_ks(labels, options.at)),
        counts(static_cast<std::size_t>(labels)),
        known_rows(static_cast<std::size_t>(labels), 0),
        ranking(labels),
        top(labels, ks, rules.average_ties_at_k) {
    check_thresholds(labels, options);
    for (const Index k : ks) at_k.push_back({.k = k, .precision = {}, .ndcg = {}});
  }

  void keep_known(std::span<const double> scores, std::span<const LabelId> truth,
                  std::span<const LabelId> unknown);
  void skip_row();
  void judge_ranking(std::span<const double> scores, std::span<const LabelId> truth);
  template <class Judge>
  void judge(RowMean& mean, const RankingRule& rule, bool is_empty, bool is_full, Judge of_places);
  void judge_top(std::span<const double> scores, std::span<const LabelId> truth);
  void judge_decisions(std::span<const double> scores, std::span<const LabelId> truth,
                       std::span<const LabelId> unknown);
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
  std::vector<Index> known_rows;  ///< of each label

  std::vector<double> known_scores;  ///< of a row with unknown labels: the others, renumbered
  std::vector<LabelId> known_truth;
  RowRanking ranking;
  TopLabels top;
};

/// Leaves the unknown labels out, as if the row had fewer; the order of the others stays.
void Evaluator::State::keep_known(std::span<const double> scores, std::span<const LabelId> truth,
                                  std::span<const LabelId> unknown) {
  known_scores.clear();
  known_truth.clear();
  auto next_true = truth.begin();
  auto next_unknown = unknown.begin();
  for (LabelId label = 0; label < labels; ++label) {
    if (next_unknown != unknown.end() && *next_unknown == label) {
      ++next_unknown;
      continue;
    }
    if (next_true != truth.end() && *next_true == label) {
      known_truth.push_back(static_cast<LabelId>(known_scores.size()));
      ++next_true;
    }
    known_scores.push_back(scores[static_cast<std::size_t>(label)]);
  }
}

/// Of a row without a known label nothing can be said.
void Evaluator::State::skip_row() {
  for (RowMean* mean : {&average_precision_mean, &coverage_mean, &ranking_loss_mean,
                        &one_error_mean, &wrong_labels_mean, &exact_rows_mean}) {
    ++mean->skipped;
  }
  for (AtK& at : at_k) {
    ++at.precision.skipped;
    ++at.ndcg.skipped;
  }
}

template <class Judge>
void Evaluator::State::judge(RowMean& mean, const RankingRule& rule, bool is_empty, bool is_full,
                             Judge of_places) {
  if (is_empty) {
    mean.add(rule.without_labels);
  } else if (is_full && !rule.full_rows_count) {
    ++mean.skipped;
  } else {
    mean.add(of_places(ranking.places(rule.ties)));
  }
}

void Evaluator::State::judge_ranking(std::span<const double> scores,
                                     std::span<const LabelId> truth) {
  if (!truth.empty()) ranking.assign(scores, truth);
  const bool empty = truth.empty();
  const bool full = truth.size() == scores.size();
  judge(average_precision_mean, rules.average_precision, empty, full,
        [](auto places) { return average_precision(places); });
  judge(coverage_mean, rules.coverage, empty, full, [](auto places) { return coverage(places); });
  judge(ranking_loss_mean, rules.ranking_loss, empty, full,
        [&](auto places) { return ranking_loss(places, static_cast<Index>(scores.size())); });
  judge(one_error_mean, rules.one_error, empty, full,
        [](auto places) { return one_error(places); });
}

void Evaluator::State::judge_top(std::span<const double> scores, std::span<const LabelId> truth) {
  top.assign(scores, truth);
  for (AtK& at : at_k) {
    const bool has_k = at.k <= static_cast<Index>(scores.size());
    at.precision.add(has_k ? std::optional(top.precision(at.k)) : std::nullopt);
    at.ndcg.add(has_k ? std::optional(top.ndcg(at.k)) : std::nullopt);
  }
}

void Evaluator::State::judge_decisions(std::span<const double> scores,
                                       std::span<const LabelId> truth,
                                       std::span<const LabelId> unknown) {
  auto next_relevant = truth.begin();
  auto next_unknown = unknown.begin();
  Index wrong = 0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (next_unknown != unknown.end() && *next_unknown == static_cast<LabelId>(l)) {
      ++next_unknown;
      continue;
    }
    ++known_rows[l];
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
  // The mean is divided by all labels in the end; a row counts by the share of those it knows.
  const auto known = static_cast<double>(scores.size() - unknown.size());
  wrong_labels_mean.add(static_cast<double>(wrong) * (static_cast<double>(labels) / known));
  exact_rows_mean.add(wrong == 0 ? 1.0 : 0.0);
}

std::vector<MetricValue> Evaluator::State::metrics() const {
  std::vector<LabelCounts> known_counts;  // of labels that some row knows
  for (std::size_t l = 0; l < counts.size(); ++l) {
    if (known_rows[l] > 0) known_counts.push_back(counts[l]);
  }
  const auto metric = [&](Measure measure, Index k = 0) {
    return Metric{.measure = measure, .k = k, .convention = options.convention};
  };
  const auto of_labels = [&](Measure measure, auto value_of, Index skipped) {
    const double value = known_counts.empty() ? std::numeric_limits<double>::quiet_NaN()
                                              : value_of(known_counts, rules.nothing_over_nothing);
    return MetricValue{.metric = metric(measure), .value = value, .skipped = skipped};
  };
  std::vector<MetricValue> result;
  result.push_back(average_precision_mean.as(metric(Measure::average_precision)));
  MetricValue coverage_value = coverage_mean.as(metric(Measure::coverage));
  // Under lamda, rows without labels can pull the mean below zero; a comparison keeps NaN.
  if (coverage_value.value < 0) coverage_value.value = 0;
  coverage_value.value /= static_cast<double>(labels);
  result.push_back(coverage_value);
  result.push_back(ranking_loss_mean.as(metric(Measure::ranking_loss)));
  result.push_back(one_error_mean.as(metric(Measure::one_error)));
  const Index never_known = rows == 0 ? 0 : labels - std::ssize(known_counts);
  result.push_back(of_labels(Measure::macro_f1, macro_f1, never_known));
  result.push_back(of_labels(Measure::micro_f1, micro_f1, 0));
  MetricValue hamming_loss = wrong_labels_mean.as(metric(Measure::hamming_loss));
  hamming_loss.value /= static_cast<double>(labels);
  result.push_back(hamming_loss);
  result.push_back(exact_rows_mean.as(metric(Measure::subset_accuracy)));
  for (const AtK& at : at_k)
    result.push_back(at.precision.as(metric(Measure::precision_at_k, at.k)));
  for (const AtK& at : at_k) result.push_back(at.ndcg.as(metric(Measure::ndcg_at_k, at.k)));
  return result;
}

Evaluator::Evaluator(Index labels, EvaluateOptions options)
    : state_(std::make_unique<State>(labels, std::move(options))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::add(std::span<const double> scores, std::span<const LabelId> truth,
                    std::span<const LabelId> unknown) {
  check_row(state_->rows, state_->labels, scores, truth, unknown);
  if (unknown.size() == scores.size()) {
    state_->skip_row();
    ++state_->rows;
    return;
  }
  state_->judge_decisions(scores, truth, unknown);
  if (!unknown.empty()) {
    state_->keep_known(scores, truth, unknown);
    scores = state_->known_scores;
    truth = state_->known_truth;
  }
  state_->judge_ranking(scores, truth);
  state_->judge_top(scores, truth);
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

double Evaluation::operator[](const Metric& metric) const {
  const auto found = std::ranges::find(metrics, metric, &MetricValue::metric);
  if (found != metrics.end()) return found->value;
  refuse_metric(metrics, to_string(metric));
}

double Evaluation::operator[](std::string_view name) const {
  const auto name_of = [](const MetricValue& value) { return value.metric.name(); };
  const auto found = std::ranges::find(metrics, name, name_of);
  if (found != metrics.end()) return found->value;
  refuse_metric(metrics, name);
}

Evaluation evaluate(const Matrix<double>& scores, const BinaryMatrix& truth,
                    const EvaluateOptions& options, const BinaryMatrix* unknown) {
  if (scores.rows() != truth.rows()) {
    throw UsageError(
        fmt::format("the scores have {} rows, the truth has {}", scores.rows(), truth.rows()));
  }
  if (scores.cols() != truth.cols) {
    throw UsageError(
        fmt::format("the scores have {} labels, the truth has {}", scores.cols(), truth.cols));
  }
  if (unknown != nullptr && (unknown->rows() != truth.rows() || unknown->cols != truth.cols)) {
    throw UsageError(fmt::format("the unknown labels are {} x {}, the truth is {} x {}",
                                 unknown->rows(), unknown->cols, truth.rows(), truth.cols));
  }
  Evaluator evaluator(truth.cols, options);
  for (Index row = 0; row < truth.rows(); ++row) {
    evaluator.add(scores.row(row), truth.row(row),
                  unknown == nullptr ? std::span<const LabelId>{} : unknown->row(row));
  }
  return evaluator.finish();
}

}  // namespace mugrad
