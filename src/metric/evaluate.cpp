// SPDX-License-Identifier: MIT
#include "metric/convention.h"
#include "metric/input_checks.h"
#include "metric/kept_scores.h"
#include "metric/label_based.h"
#include "metric/probability_losses.h"
#include "metric/ranking.h"
#include "metric/top_labels.h"

#include <mugrad/core/error.h>
#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>

#include <algorithm>
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

/// Why a metric may have been omitted, by its text; empty for other texts.
std::string_view requirement_of(std::string_view text) {
  const auto name = text.substr(0, text.find(" ("));
  for (const MeasureInfo& info : measures()) {
    if (info.name != name) continue;
    if (info.needs_probabilities) return "; it requires scores that are probabilities";
    if (info.needs_all_scores) return "; it requires that scores are kept";
  }
  return "";
}

[[noreturn]] void refuse_metric(const std::vector<MetricValue>& metrics, std::string_view name) {
  std::vector<std::string> names;
  names.reserve(metrics.size());
  for (const MetricValue& value : metrics) names.push_back(value.metric.name());
  throw UsageError(fmt::format("there is no metric '{}' in this evaluation; there are {}{}", name,
                               fmt::join(names, ", "), requirement_of(name)));
}

}  // namespace

struct Evaluator::State {
  State(Index label_count, EvaluateOptions given)
      : labels(checked_labels(label_count)),
        options(std::move(given)),
        rules(rules_of(options.convention)),
        ks(usable_ks(labels, options.at)),
        counts(as_size(labels)),
        known_rows(as_size(labels), 0),
        kept(labels, options.most_kept_scores),
        ranking(labels),
        top(labels, ks, rules.average_ties_at_k) {
    check_thresholds(labels, options);
    for (const Index k : ks) at_k.push_back({.k = k, .precision = {}, .ndcg = {}});
  }

  void keep_known(std::span<const double> scores, std::span<const LabelId> truth,
                  std::span<const LabelId> unknown);
  void skip_row();
  void add_ranking(std::span<const double> scores, std::span<const LabelId> truth);
  template <class RowValue>
  void add_row_value(RowMean& mean, const RankingRule& rule, bool is_empty, bool is_full,
                     RowValue of_places);
  void add_top(std::span<const double> scores, std::span<const LabelId> truth);
  void add_decisions(std::span<const double> scores, std::span<const LabelId> truth,
                     std::span<const LabelId> unknown);
  std::vector<MetricValue> metrics() const;
  void append_metrics_of_labels(std::vector<MetricValue>& result) const;
  void append_metrics_of_pairs(std::vector<MetricValue>& result) const;
  Metric metric(Measure measure, Index k = 0) const {
    return {.measure = measure, .k = k, .convention = options.convention};
  }

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
  RowMean example_f1_mean;
  RowMean wrong_labels_mean;
  RowMean exact_rows_mean;
  std::vector<AtK> at_k;
  std::vector<LabelCounts> counts;
  std::vector<Index> known_rows;  ///< of each label
  ProbabilityLosses losses;
  KeptScores kept;

  std::vector<double> known_scores;  ///< scores of the known labels of a row, renumbered
  std::vector<LabelId> known_truth;
  RowRanking ranking;
  TopLabels top;
};

/// Removes the unknown labels, as if the row had fewer; the order of the others is kept.
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
    known_scores.push_back(scores[as_size(label)]);
  }
}

/// A row without known labels is skipped.
void Evaluator::State::skip_row() {
  for (RowMean* mean : {&average_precision_mean, &coverage_mean, &ranking_loss_mean,
                        &one_error_mean, &example_f1_mean, &wrong_labels_mean, &exact_rows_mean}) {
    ++mean->skipped;
  }
  for (AtK& at : at_k) {
    ++at.precision.skipped;
    ++at.ndcg.skipped;
  }
}

template <class RowValue>
void Evaluator::State::add_row_value(RowMean& mean, const RankingRule& rule, bool is_empty,
                                     bool is_full, RowValue of_places) {
  if (is_empty) {
    mean.add(rule.without_labels);
  } else if (is_full && !rule.full_rows_count) {
    ++mean.skipped;
  } else {
    mean.add(of_places(ranking.places(rule.ties)));
  }
}

void Evaluator::State::add_ranking(std::span<const double> scores, std::span<const LabelId> truth) {
  if (!truth.empty()) ranking.assign(scores, truth);
  const bool empty = truth.empty();
  const bool full = truth.size() == scores.size();
  add_row_value(average_precision_mean, rules.average_precision, empty, full,
                [](auto places) { return average_precision(places); });
  add_row_value(coverage_mean, rules.coverage, empty, full,
                [](auto places) { return coverage(places); });
  add_row_value(ranking_loss_mean, rules.ranking_loss, empty, full,
                [&](auto places) { return ranking_loss(places, std::ssize(scores)); });
  add_row_value(one_error_mean, rules.one_error, empty, full,
                [](auto places) { return one_error(places); });
}

void Evaluator::State::add_top(std::span<const double> scores, std::span<const LabelId> truth) {
  top.assign(scores, truth);
  for (AtK& at : at_k) {
    const bool has_k = at.k <= std::ssize(scores);
    at.precision.add(has_k ? std::optional(top.precision(at.k)) : std::nullopt);
    at.ndcg.add(has_k ? std::optional(top.ndcg(at.k)) : std::nullopt);
  }
}

void Evaluator::State::add_decisions(std::span<const double> scores, std::span<const LabelId> truth,
                                     std::span<const LabelId> unknown) {
  auto next_relevant = truth.begin();
  auto next_unknown = unknown.begin();
  Index hits = 0;
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
    hits += predicted && relevant ? 1 : 0;
    wrong += predicted != relevant ? 1 : 0;
  }
  example_f1_mean.add(
      f1({.true_positives = hits, .false_positives = wrong}, rules.nothing_over_nothing));
  // The final mean is over all labels; a row counts by the share of its known labels.
  const auto known = static_cast<double>(scores.size() - unknown.size());
  wrong_labels_mean.add(static_cast<double>(wrong) * (static_cast<double>(labels) / known));
  exact_rows_mean.add(wrong == 0 ? 1.0 : 0.0);
}

std::vector<MetricValue> Evaluator::State::metrics() const {
  std::vector<MetricValue> result;
  result.push_back(average_precision_mean.as(metric(Measure::average_precision)));
  MetricValue coverage_value = coverage_mean.as(metric(Measure::coverage));
  // Under lamda, rows without labels can make the mean negative; a comparison keeps NaN.
  if (coverage_value.value < 0) coverage_value.value = 0;
  coverage_value.value /= static_cast<double>(labels);
  result.push_back(coverage_value);
  result.push_back(ranking_loss_mean.as(metric(Measure::ranking_loss)));
  result.push_back(one_error_mean.as(metric(Measure::one_error)));
  append_metrics_of_labels(result);
  result.push_back(example_f1_mean.as(metric(Measure::example_f1)));
  MetricValue hamming_loss = wrong_labels_mean.as(metric(Measure::hamming_loss));
  hamming_loss.value /= static_cast<double>(labels);
  result.push_back(hamming_loss);
  result.push_back(exact_rows_mean.as(metric(Measure::subset_accuracy)));
  for (const AtK& at : at_k)
    result.push_back(at.precision.as(metric(Measure::precision_at_k, at.k)));
  for (const AtK& at : at_k) result.push_back(at.ndcg.as(metric(Measure::ndcg_at_k, at.k)));
  append_metrics_of_pairs(result);
  return result;
}

void Evaluator::State::append_metrics_of_labels(std::vector<MetricValue>& result) const {
  std::vector<LabelCounts> known_counts;  // of labels that are known in some row
  for (std::size_t l = 0; l < counts.size(); ++l) {
    if (known_rows[l] > 0) known_counts.push_back(counts[l]);
  }
  const auto of_labels = [&](Measure measure, auto value_of, Index skipped) {
    const double value = known_counts.empty() ? std::numeric_limits<double>::quiet_NaN()
                                              : value_of(known_counts, rules.nothing_over_nothing);
    return MetricValue{.metric = metric(measure), .value = value, .skipped = skipped};
  };
  const Index never_known = rows == 0 ? 0 : labels - std::ssize(known_counts);
  result.push_back(of_labels(Measure::macro_f1, macro_f1, never_known));
  result.push_back(of_labels(Measure::micro_f1, micro_f1, 0));
}

/// Metrics of all pairs of a row and a known label.
void Evaluator::State::append_metrics_of_pairs(std::vector<MetricValue>& result) const {
  const auto append = [&](Measure measure, double value) {
    result.push_back({.metric = metric(measure), .value = value});
  };
  ScoresByTruth all;
  if (kept.are_complete()) {
    all = kept.of_all();
    append(Measure::micro_auc, area_under_roc(all));
    result.push_back(kept.macro_auc(metric(Measure::macro_auc)));
  }
  if (!options.are_probabilities) return;
  append(Measure::log_loss, losses.log_loss());
  append(Measure::brier_score, losses.brier_score());
  if (kept.are_complete()) append(Measure::calibration_error, calibration_error(all));
}

Evaluator::Evaluator(Index labels, EvaluateOptions options)
    : state_(std::make_unique<State>(labels, std::move(options))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::add(std::span<const double> scores, std::span<const LabelId> truth,
                    std::span<const LabelId> unknown) {
  check_row(state_->rows, state_->labels, scores, truth, unknown);
  if (state_->options.are_probabilities) check_probabilities(state_->rows, scores);
  state_->kept.add(scores, truth, unknown);
  if (unknown.size() == scores.size()) {
    state_->skip_row();
    ++state_->rows;
    return;
  }
  state_->add_decisions(scores, truth, unknown);
  if (!unknown.empty()) {
    state_->keep_known(scores, truth, unknown);
    scores = state_->known_scores;
    truth = state_->known_truth;
  }
  state_->add_ranking(scores, truth);
  state_->add_top(scores, truth);
  if (state_->options.are_probabilities) state_->losses.add(scores, truth);
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
