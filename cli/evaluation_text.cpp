// SPDX-License-Identifier: MIT
#include "evaluation_text.h"

#include "report/text_table.h"

#include <mugrad/experiment/thresholds.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad::cli {
namespace {

std::string value_text(double value) {
  return std::isnan(value) ? "undefined" : fmt::format("{:.4f}", value);
}

Json value_json(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }

std::string per_label_text(const Evaluation& evaluation, const LabelNames& name) {
  TextTable table({"label", "precision", "recall", "F1", "positives", "predicted"});
  for (std::size_t i = 0; i < evaluation.per_label.size(); ++i) {
    const auto& quality = evaluation.per_label[i];
    table.add({name(static_cast<LabelId>(i)), value_text(quality.precision),
               value_text(quality.recall), value_text(quality.f1),
               fmt::format("{}", quality.positives), fmt::format("{}", quality.predicted)});
  }
  return "\n" + table.text();
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation, bool per_label, const LabelNames& name) {
  std::string text = fmt::format(
      "{} examples, {} labels; convention {}, threshold {}\n", evaluation.rows, evaluation.labels,
      to_string(evaluation.convention), thresholds_text(evaluation.thresholds));
  text += fmt::format("{} examples without labels, {} with all; {} labels without positives\n\n",
                      evaluation.rows_without_labels, evaluation.rows_with_all_labels,
                      evaluation.labels_without_positives);
  TextTable table({"metric", "value", "best", "skipped"});
  for (const auto& [metric, value, skipped] : evaluation.metrics) {
    table.add({metric.name(), value_text(value), larger_is_better(metric) ? "1" : "0",
               fmt::format("{}", skipped)});
  }
  text += table.text();
  return per_label ? text + per_label_text(evaluation, name) : text;
}

std::string seen_text(const SeenRows& seen, const RowSample& trained_on) {
  constexpr Index kLeastCompared = 8, kLeastSeen = 3;
  constexpr double kNearlyAll = 0.9, kFew = 0.02;
  if (seen.compared < kLeastCompared || seen.seen < kLeastSeen) return "";
  // New rows from where the training rows come from are repeated as often as these.
  const double usual = trained_on.repeated_share();
  const double error = std::sqrt(usual * (1 - usual) / static_cast<double>(seen.compared));
  if (seen.share() - usual < kFew + 3 * error) return "";
  if (seen.share() >= kNearlyAll) {
    return fmt::format(
        "\n{} of these rows are among those that the model was trained on: these are training "
        "scores, and those of new rows will be worse\n",
        seen.seen == seen.compared ? "All" : "Nearly all");
  }
  const std::string repeated =
      usual == 0
          ? ""
          : fmt::format(" (of the training rows, {:.0f} % are there more than once)", 100 * usual);
  return fmt::format(
      "\nAbout {:.0f} % of these rows are also among those that the model was trained on{}: scores "
      "of new rows may be worse\n",
      100 * seen.share(), repeated);
}

Json seen_json(const SeenRows& seen, const RowSample& trained_on) {
  if (trained_on.is_empty()) return nullptr;
  return {{"share", seen.compared == 0 ? Json(nullptr) : Json(seen.share())},
          {"compared", seen.compared},
          {"repeated_in_training", trained_on.repeated_share()}};
}

Json thresholds_json(const std::vector<double>& thresholds) {
  const bool is_one = std::ranges::all_of(
      thresholds, [&](double threshold) { return threshold == thresholds.front(); });
  return is_one ? Json(thresholds.front()) : Json(thresholds);
}

Json evaluation_json(const Evaluation& evaluation, bool per_label, const LabelNames& name) {
  Json metrics = Json::object();
  Json skipped = Json::object();
  for (const auto& measured : evaluation.metrics) {
    metrics[measured.metric.name()] = value_json(measured.value);
    skipped[measured.metric.name()] = measured.skipped;
  }
  Json document{{"examples", evaluation.rows},
                {"labels", evaluation.labels},
                {"convention", to_string(evaluation.convention)},
                {"threshold", thresholds_json(evaluation.thresholds)},
                {"metrics", metrics},
                {"skipped", skipped},
                {"examples_without_labels", evaluation.rows_without_labels},
                {"examples_with_all_labels", evaluation.rows_with_all_labels},
                {"labels_without_positives", evaluation.labels_without_positives}};
  if (!per_label) return document;
  Json rows = Json::array();
  for (std::size_t i = 0; i < evaluation.per_label.size(); ++i) {
    const auto& quality = evaluation.per_label[i];
    rows.push_back({{"label", name(static_cast<LabelId>(i))},
                    {"precision", value_json(quality.precision)},
                    {"recall", value_json(quality.recall)},
                    {"f1", value_json(quality.f1)},
                    {"positives", quality.positives},
                    {"predicted", quality.predicted}});
  }
  document["per_label"] = rows;
  return document;
}

}  // namespace mugrad::cli
