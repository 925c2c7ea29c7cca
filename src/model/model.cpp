// SPDX-License-Identifier: MIT
#include "core/utf8.h"
#include "model/head_checks.h"
#include "model/model_layout.h"

#include <mugrad/core/error.h>
#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace mugrad {
namespace {

/// Checks the parts of a model against each other; refusals name the label or feature.
class Validator {
 public:
  explicit Validator(const ModelContents& contents)
      : c_(contents),
        features_(c_.scaling.mean.size()),
        labels_(c_.thresholds.size()),
        columns_(c_.intercepts.size()) {}

  void check() const {
    check_counts();
    check_head(c_.head, {std::ssize(c_.intercepts), std::ssize(c_.thresholds)});
    check_text();
    check_label_names();
    check_numbers();
    check_relations();
    check_report();
  }

 private:
  static void check_count(const char* what, std::size_t found, std::size_t expected) {
    if (found != expected) refuse("the model has {} {}, {} expected", found, what, expected);
  }

  std::string label(std::size_t index) const { return described("label", c_.label_names, index); }
  std::string feature(std::size_t index) const {
    return described("feature", c_.feature_names, index);
  }
  /// Of the weights: most often a label.
  std::string column(std::size_t index) const {
    return has_linear_scores(c_.head) ? label(index) : fmt::format("column {}", index);
  }
  static std::string described(const char* kind, const std::vector<std::string>& names,
                               std::size_t index) {
    return names.empty() ? fmt::format("{} {}", kind, index)
                         : fmt::format("{} '{}'", kind, names[index]);
  }

  void check_counts() const {
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (labels_ == 0) refuse("the model has no labels");
    if (labels_ > kMost || features_ > kMost) {
      refuse("the model has {} features and {} labels, at most {} of each can be used", features_,
             labels_, kMost);
    }
    std::visit(
        [&](const auto& weights) {
          check_count("rows of weights", static_cast<std::size_t>(weights.rows()), features_);
          check_count("columns of weights", static_cast<std::size_t>(weights.cols()), columns_);
        },
        c_.weights);
    check_count("feature deviations", c_.scaling.deviation.size(), features_);
    if (!c_.feature_names.empty()) {
      check_count("feature names", c_.feature_names.size(), features_);
    }
    if (!c_.label_names.empty()) check_count("label names", c_.label_names.size(), labels_);
  }

  /// Whoever reads predictions knows labels by their names.
  void check_label_names() const {
    std::unordered_set<std::string_view> names;
    for (const auto& name : c_.label_names) {
      if (!names.insert(name).second) refuse("two labels of the model are called '{}'", name);
    }
  }

  /// A model file is JSON in part, which holds UTF-8 only.
  void check_text() const {
    const auto check = [](const char* what, const std::string& text) {
      if (!is_utf8(text)) refuse("the {} '{}' is not UTF-8 text", what, text);
    };
    for (const auto& name : c_.feature_names) check("feature name", name);
    for (const auto& name : c_.label_names) check("label name", name);
    for (const auto& [key, value] : c_.options) {
      check("option", key);
      check("option value", value);
    }
    check("report", c_.report.method);
    if (const auto& solve = c_.report.solve) {
      check("report", solve->solver);
      check("report", solve->stop);
      // In a file that stands for no solve.
      if (solve->solver.empty()) refuse("the report has a solve by a solver without a name");
    }
    for (const auto& warning : c_.report.warnings) check("warning", warning);
  }

  void check_numbers() const {
    std::visit([&](const auto& weights) { check_weights(weights); }, c_.weights);
    for (std::size_t c = 0; c < columns_; ++c) {
      if (!std::isfinite(c_.intercepts[c])) {
        refuse("the intercept of {} is {}, which is not finite", column(c), c_.intercepts[c]);
      }
    }
    const ScoreRange range = score_range(c_.head);
    for (std::size_t i = 0; i < labels_; ++i) {
      if (!range.contains(c_.thresholds[i])) {
        refuse("the threshold of {} is {}, which is not {}", label(i), c_.thresholds[i],
               range.limits());
      }
    }
    for (std::size_t j = 0; j < features_; ++j) {
      if (!std::isfinite(c_.scaling.mean[j])) {
        refuse("the mean of {} is {}, which is not finite", feature(j), c_.scaling.mean[j]);
      }
      if (!(std::isfinite(c_.scaling.deviation[j]) && c_.scaling.deviation[j] >= 0)) {
        refuse("the deviation of {} is {}, which is not a finite number >= 0", feature(j),
               c_.scaling.deviation[j]);
      }
    }
  }

  template <class Real>
  void check_weights(const Matrix<Real>& weights) const {
    const auto values = weights.values();
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!std::isfinite(values[k])) {
        refuse("the weight of {} for {} is {}, which is not finite", feature(k / columns_),
               column(k % columns_), values[k]);
      }
    }
  }

  void check_relations() const {
    const auto& relations = c_.relations;
    check_count("columns of relations", static_cast<std::size_t>(relations.cols), labels_);
    check_count("row starts of relations", relations.row_start.size(), labels_ + 1);
    check_count("strengths of relations", relations.value.size(), relations.column.size());
    if (relations.row_start.front() != 0 || relations.row_start.back() != relations.nonzeros() ||
        !std::is_sorted(relations.row_start.begin(), relations.row_start.end())) {
      refuse("the row starts of the relations do not ascend from 0 to {}", relations.nonzeros());
    }
    for (std::size_t i = 0; i < labels_; ++i) check_relations_of(i);
  }

  void check_relations_of(std::size_t i) const {
    std::int64_t previous = -1;
    for (const LabelId other : c_.relations.row_columns(static_cast<Index>(i))) {
      if (other <= previous || other >= static_cast<std::int64_t>(labels_)) {
        refuse("the relations of {} are not ascending labels below {}", label(i), labels_);
      }
      previous = other;
    }
    for (const double strength : c_.relations.row_values(static_cast<Index>(i))) {
      if (!(std::isfinite(strength) && strength >= 0)) {
        refuse("a relation of {} has strength {}, which is not a finite number >= 0", label(i),
               strength);
      }
    }
  }

  void check_report() const {
    const auto& report = c_.report;
    const SolveFacts solve = report.solve.value_or(SolveFacts{});
    if (report.rows < 0 || solve.effort < 0) {
      refuse("the report counts {} rows and {} passes, neither may be negative", report.rows,
             solve.effort);
    }
    const FixedStep fixed = solve.fixed_step.value_or(FixedStep{});
    for (const double number :
         {fixed.step, fixed.curvature, solve.first_residual, solve.residual, solve.minimised}) {
      if (!std::isfinite(number))
        refuse("a number of the report is {}, which is not finite", number);
    }
    for (const LabelId constant : report.constant_labels) {
      if (constant < 0 || static_cast<std::size_t>(constant) >= labels_) {
        refuse("the report names label {} as constant, and there are {} labels", constant, labels_);
      }
    }
  }

  const ModelContents& c_;
  std::size_t features_;
  std::size_t labels_;
  std::size_t columns_;
};

}  // namespace

Model::Model(ModelContents contents)
    : contents_(std::move(contents)), layout_(std::make_shared<Layout>()) {
  Validator(contents_).check();
}

Model Model::with_thresholds(std::vector<double> thresholds) const {
  const auto count = static_cast<std::size_t>(labels());
  if (thresholds.size() == 1) thresholds.resize(count, thresholds.front());
  if (thresholds.size() != count) {
    throw UsageError(
        fmt::format("{} thresholds for a model of {} labels", thresholds.size(), labels()));
  }
  Model changed = *this;
  changed.contents_.thresholds = std::move(thresholds);
  Validator(changed.contents_).check();
  return changed;
}

std::string Model::label_name(LabelId label) const {
  return name_or_number(contents_.label_names, label);
}

}  // namespace mugrad
