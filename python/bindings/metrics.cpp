// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "score_rows.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/thresholds.h>
#include <mugrad/metric/evaluate.h>

#include <algorithm>
#include <optional>

namespace mugrad::python {
namespace {

std::span<const LabelId> row_of(const BinaryMatrix& matrix, Index row) {
  return matrix.rows() == 0 ? std::span<const LabelId>{} : matrix.row(row);
}

/// Throws UsageError when the shapes differ.
void check_shapes(const ScoreRows& scores, const BinaryMatrix& truth) {
  const auto shape = [](Index rows, Index cols) {
    return "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")";
  };
  if (scores.rows() == truth.rows() && scores.cols() == truth.cols) return;
  throw UsageError("y_true has shape " + shape(truth.rows(), truth.cols) +
                   ", but the scores or predictions have shape " +
                   shape(scores.rows(), scores.cols()));
}

/// Calls fn(row) for all rows, unless Ctrl-C ends it before.
template <class Function>
void for_each_row(const ScoreRows& rows, Watch& watch, const Function& fn) {
  constexpr Index kScoresAtOnce = 1 << 16;
  const Index at_once = 1 + kScoresAtOnce / (1 + rows.cols());
  for (Index row = 0; row < rows.rows(); ++row) {
    if (row % at_once == 0) advance(&watch, 0);
    fn(row);
  }
}

bool all_probabilities(ScoreRows& rows, Watch& watch) {
  bool all = true;
  for_each_row(rows, watch,
               [&](Index row) { all = all && std::ranges::all_of(rows.row(row), is_probability); });
  return all;
}

py::dict to_python(const Evaluation& evaluation) {
  py::dict values, skipped;
  for (const MetricValue& measured : evaluation.metrics) {
    const py::str name(measured.metric.name());
    values[name] = measured.value;
    skipped[name] = measured.skipped;
  }
  const auto column = [&](auto member) {
    using Value = std::remove_cvref_t<decltype(evaluation.per_label.front().*member)>;
    py::array_t<Value> array(static_cast<py::ssize_t>(evaluation.per_label.size()));
    auto* out = array.mutable_data();
    for (const LabelQuality& label : evaluation.per_label) *out++ = label.*member;
    return array;
  };
  const py::dict per_label("positives"_a = column(&LabelQuality::positives),
                           "predicted"_a = column(&LabelQuality::predicted),
                           "precision"_a = column(&LabelQuality::precision),
                           "recall"_a = column(&LabelQuality::recall),
                           "f1"_a = column(&LabelQuality::f1));
  return py::dict("values"_a = values, "skipped"_a = skipped, "per_label"_a = per_label,
                  "rows"_a = evaluation.rows, "labels"_a = evaluation.labels,
                  "rows_without_labels"_a = evaluation.rows_without_labels,
                  "rows_with_all_labels"_a = evaluation.rows_with_all_labels,
                  "labels_without_positives"_a = evaluation.labels_without_positives);
}

py::list all_measures() {
  py::list all;
  for (const MeasureInfo& measure : measures()) {
    all.append(py::dict("name"_a = measure.name, "has_k"_a = measure.has_k,
                        "uses_thresholds"_a = measure.uses_thresholds,
                        "needs_probabilities"_a = measure.needs_probabilities,
                        "needs_all_scores"_a = measure.needs_all_scores));
  }
  return all;
}

py::dict evaluate_rows(const py::object& scores, const py::object& truth,
                       std::vector<double> thresholds, const std::string& convention,
                       std::vector<Index> at, std::optional<bool> are_probabilities,
                       std::optional<bool> keep_scores) {
  ScoreRows rows(scores);
  const KnownLabels labels = labels_from(truth);
  check_shapes(rows, labels.y);
  Watch watch;
  const Evaluation evaluation = watch.run([&] {
    EvaluateOptions options{.convention = convention_named(convention), .at = std::move(at)};
    options.are_probabilities =
        are_probabilities ? *are_probabilities : all_probabilities(rows, watch);
    options.most_kept_scores = kUsualKeptScores;
    if (keep_scores) options.most_kept_scores = *keep_scores ? kAllScores : 0;
    if (thresholds.size() == 1) {
      options.threshold = thresholds.front();
    } else {
      options.thresholds = std::move(thresholds);
    }
    Evaluator evaluator(labels.y.cols, std::move(options));
    for_each_row(rows, watch, [&](Index row) {
      evaluator.add(rows.row(row), labels.y.row(row), row_of(labels.unknown, row));
    });
    return evaluator.finish();
  });
  return to_python(evaluation);
}

/// ThresholdCounts, with the checks that callers from Python need.
class Thresholds {
 public:
  Thresholds(Index labels, double low, double high, double usual)
      : labels_(labels), counts_(labels, {low, high}, usual) {}

  void add(const py::object& scores, const py::object& truth) {
    ScoreRows rows(scores);
    const KnownLabels labels = labels_from(truth);
    check_shapes(rows, labels.y);
    if (rows.cols() != labels_) {
      throw UsageError("there are " + std::to_string(labels_) + " labels, got scores of " +
                       std::to_string(rows.cols()));
    }
    Watch watch;
    watch.run([&] {
      for_each_row(rows, watch, [&](Index row) {
        counts_.add(rows.row(row), labels.y.row(row), row_of(labels.unknown, row));
      });
    });
  }

  std::vector<double> choose(const std::string& rule, const std::string& metric,
                             const std::string& convention) const {
    return counts_.choose(threshold_rule_named(rule), threshold_metric_named(metric),
                          convention_named(convention));
  }

  double value(const std::vector<double>& thresholds, const std::string& metric,
               const std::string& convention) const {
    if (std::ssize(thresholds) != labels_) {
      throw UsageError(std::to_string(thresholds.size()) + " thresholds for " +
                       std::to_string(labels_) + " labels");
    }
    return counts_.value(thresholds, threshold_metric_named(metric), convention_named(convention));
  }

  std::vector<double> candidates() const {
    return {counts_.candidates().begin(), counts_.candidates().end()};
  }

 private:
  Index labels_;
  ThresholdCounts counts_;
};

}  // namespace

void bind_metrics(py::module_& module) {
  module.def("evaluate", &evaluate_rows, "scores"_a, "truth"_a, "thresholds"_a, "convention"_a,
             "at"_a, "are_probabilities"_a = py::none(), "keep_scores"_a = py::none());
  module.def("measures", &all_measures);
  module.def("larger_is_better", [](const std::string& name) {
    const Metric metric = metric_named(name);
    if (metric.name() == name) return larger_is_better(metric);
    throw UsageError("'" + name + "' is a metric and a convention: give them apart");
  });
  module.def("check_convention", [](const std::string& name) { convention_named(name); });
  module.def("check_threshold_metric",
             [](const std::string& name) { threshold_metric_named(name); });
  module.def("check_threshold_rule", [](const std::string& name) { threshold_rule_named(name); });
  py::class_<Thresholds>(module, "ThresholdCounts")
      .def(py::init<Index, double, double, double>(), "labels"_a, "low"_a, "high"_a, "usual"_a)
      .def("add", &Thresholds::add, "scores"_a, "truth"_a)
      .def("choose", &Thresholds::choose, "rule"_a, "metric"_a, "convention"_a)
      .def("value", &Thresholds::value, "thresholds"_a, "metric"_a, "convention"_a)
      .def_property_readonly("candidates", &Thresholds::candidates);
}

}  // namespace mugrad::python
