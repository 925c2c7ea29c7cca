// SPDX-License-Identifier: MIT
#include "core/utf8.h"
#include "experiment/results_lines.h"
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/report/page.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad::fuzz {
namespace {

/// Text that JSON can hold; what becomes of other bytes is another matter.
std::string utf8_text(Choices& choices) {
  std::string text = choices.text();
  return as_utf8(text);
}

/// NaN is the only number that is not finite and comes back: as null.
double finite_or_nan(Choices& choices) {
  const double value = choices.number();
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same(const Record& a, const Record& b) {
  if (a.metrics.size() != b.metrics.size() || !same(a.seconds, b.seconds)) return false;
  for (const auto& [metric, value] : a.metrics) {
    const auto other = b.metrics.find(metric);
    if (other == b.metrics.end() || !same(value, other->second)) return false;
  }
  Record left = a, right = b;
  for (Record* record : {&left, &right}) {
    record->metrics.clear();
    record->seconds = 0;
  }
  return left == right;
}

ResultsHead head_of(Choices& choices) {
  ResultsHead head{.protocol = utf8_text(choices),
                   .splits = static_cast<Index>(1 + choices.below(8)),
                   .test_share = 0.1 + 0.1 * static_cast<double>(choices.below(8))};
  for (std::size_t k = 1 + choices.below(3); k > 0; --k) {
    head.sets.push_back({.name = utf8_text(choices),
                         .rows = static_cast<Index>(choices.byte()),
                         .features = static_cast<Index>(choices.byte()),
                         .labels = static_cast<Index>(choices.byte()),
                         .cardinality = static_cast<double>(choices.byte()) / 8,
                         .fingerprint = std::uint64_t{choices.byte()} << 56U});
  }
  for (std::size_t k = 1 + choices.below(3); k > 0; --k) {
    head.contenders.push_back({utf8_text(choices), utf8_text(choices), utf8_text(choices)});
  }
  return head;
}

Metric metric_of(Choices& choices) {
  return {.measure = choices.flip() ? Measure::ndcg_at_k : Measure::precision_at_k,
          .k = 1 + static_cast<Index>(choices.below(9)),
          .convention = choices.flip() ? Convention::lamda : Convention::sklearn};
}

Record record_of(Choices& choices, const ResultsHead& head, Index split) {
  Record record{.set = head.sets[choices.below(head.sets.size())].name,
                .contender = head.contenders[choices.below(head.contenders.size())].name,
                .split = split};
  if (choices.flip()) {
    record.failure = "x" + utf8_text(choices);  // an empty one would be none
    return record;
  }
  for (std::size_t k = choices.below(3); k > 0; --k) {
    record.options[utf8_text(choices)] = utf8_text(choices);
  }
  record.thresholds = utf8_text(choices);
  for (std::size_t k = choices.below(3); k > 0; --k) {
    record.metrics[metric_of(choices)] = finite_or_nan(choices);
  }
  if (choices.flip()) record.seconds = choices.byte();
  return record;
}

void round_trip_results(Choices& choices) {
  Results results{.head = head_of(choices), .records = {}};
  for (Index split = 0; split < results.head.splits && !choices.empty(); ++split) {
    results.records.push_back(record_of(choices, results.head, split));
  }
  std::string text = line_of(results.head);
  for (const auto& record : results.records) text += line_of(record);
  const auto path = file_of("written.jsonl", text);
  Results again;
  // Two sets or methods of one name are refused.
  if (!accepted([&] { again = read_results(path); })) return;
  require(again.head == results.head, "the head of results changes");
  require(std::ranges::equal(again.records, results.records,
                             [](const Record& a, const Record& b) { return same(a, b); }),
          "a record of results changes");
}

void round_trip_study(Choices& choices) {
  SensitivityStudy study{.metric = {Measure::micro_f1}, .rhos = {}, .sigmas = {}};
  const auto ascending = [&](std::vector<double>& values) {
    double next = 0;
    for (std::size_t k = 1 + choices.below(3); k > 0; --k) {
      values.push_back(next);
      next += 1 + static_cast<double>(choices.byte()) / 16;
    }
  };
  ascending(study.rhos);
  ascending(study.sigmas);
  study.values = Matrix<double>(std::ssize(study.rhos), std::ssize(study.sigmas));
  for (double& value : study.values.values()) value = finite_or_nan(choices);
  const std::string set = utf8_text(choices);
  ReportContents again;
  add_study(file_of("written.json", study_json(set, study)), again);
  require(again.sensitivity.size() == 1 && again.sensitivity[0].first == set,
          "a study loses the name of its set");
  const auto& read = again.sensitivity[0].second;
  require(read.rhos == study.rhos && read.sigmas == study.sigmas && read.metric == study.metric,
          "the settings of a study change");
  require(std::ranges::equal(read.values.values(), study.values.values(),
                             [](double a, double b) { return same(a, b); }),
          "the values of a study change");
}

void round_trip_curves(Choices& choices) {
  ConvergenceStudy study{
      .metric = {Measure::micro_f1}, .setting = utf8_text(choices), .curves = {}};
  for (std::size_t k = 2; k > 0; --k) {
    auto& curve = study.curves.emplace_back();
    curve.name = utf8_text(choices);
    Index iteration = 0;
    for (std::size_t points = choices.below(4); points > 0; --points) {
      iteration += 1 + choices.byte();
      curve.iterations.push_back(iteration);
      curve.total_loss.push_back(finite_or_nan(choices));
      curve.metric.push_back(finite_or_nan(choices));
    }
  }
  const std::string set = utf8_text(choices);
  const std::string text = study_json(set, study);
  ReportContents again;
  // A study without points may be refused.
  if (!accepted([&] { add_study(file_of("written.json", text), again); })) return;
  require(again.convergence.size() == 1, "a study of curves is lost");
  require(study_json(again.convergence[0].first, again.convergence[0].second) == text,
          "a study of curves changes");
}

}  // namespace

void json_writers(std::string_view input) {
  Choices choices(input);
  const auto kind = choices.below(3);
  if (kind == 0) round_trip_results(choices);
  if (kind == 1) round_trip_study(choices);
  if (kind == 2) round_trip_curves(choices);
}

}  // namespace mugrad::fuzz
