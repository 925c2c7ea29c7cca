// SPDX-License-Identifier: MIT
#include "core/utf8.h"
#include "data/term_blocks.h"
#include "model/calibrated_scores.h"
#include "model/curvature_checks.h"
#include "model/encoding_checks.h"
#include "model/head_checks.h"
#include "model/model_layout.h"

#include <mugrad/core/error.h>
#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <utility>

namespace mugrad {
namespace {

/// Checks that the parts of a model are consistent; messages name the label or feature.
class Validator {
 public:
  explicit Validator(const ModelContents& contents)
      : c_(contents),
        features_(c_.representation.mean.size()),
        represented_(as_size(represented_features(c_.representation))),
        labels_(c_.thresholds.size()),
        columns_(c_.intercepts.size()) {}

  void check() const {
    check_counts();
    check_head(c_.head, {.columns = std::ssize(c_.intercepts),
                         .labels = std::ssize(c_.thresholds),
                         .features = as_index(represented_)});
    check_text();
    check_label_names();
    check_numbers();
    check_encoding(c_.encoding, std::ssize(c_.representation.mean), c_.feature_names);
    check_calibration();
    check_representation();
    check_relations();
    check_curvature(c_);
    check_report();
    check_trained_on();
  }

 private:
  static void check_count(const char* what, std::size_t found, std::size_t expected) {
    if (found != expected) refuse("the model has {} {}, {} expected", found, what, expected);
  }

  std::string label(std::size_t index) const { return described("label", c_.label_names, index); }
  std::string feature(std::size_t index) const {
    return index < features_ ? described("feature", c_.feature_names, index)
                             : fmt::format("Gaussian feature {}", index - features_);
  }
  /// The name of a column of the weights, usually a label.
  std::string column(std::size_t index) const {
    return has_linear_scores(c_.head) ? label(index) : fmt::format("column {}", index);
  }
  static std::string described(const char* kind, const std::vector<std::string>& names,
                               std::size_t index) {
    return names.empty() ? fmt::format("{} {}", kind, index)
                         : fmt::format("{} '{}'", kind, names[index]);
  }

  void check_counts() const {
    constexpr auto kMost = as_size(std::numeric_limits<std::int32_t>::max());
    if (labels_ == 0) refuse("the model has no labels");
    if (labels_ > kMost || represented_ > kMost) {
      refuse("the model has {} features and {} labels, at most {} of each can be used",
             represented_, labels_, kMost);
    }
    std::visit(
        [&](const auto& weights) {
          check_count("rows of weights", as_size(weights.rows()), represented_);
          check_count("columns of weights", as_size(weights.cols()), columns_);
        },
        c_.weights);
    check_count("feature deviations", c_.representation.deviation.size(), features_);
    if (!c_.feature_names.empty()) {
      check_count("feature names", c_.feature_names.size(), features_);
    }
    if (!c_.label_names.empty()) check_count("label names", c_.label_names.size(), labels_);
  }

  /// Readers of predictions identify labels by name.
  void check_label_names() const {
    std::unordered_set<std::string_view> names;
    for (const auto& name : c_.label_names) {
      if (!names.insert(name).second) refuse("two labels of the model are called '{}'", name);
    }
  }

  /// A model file contains JSON, which must be UTF-8.
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
      // In a file, an empty name means that there was no solve.
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
    const ScoreRange range = score_range(c_);
    for (std::size_t i = 0; i < labels_; ++i) {
      if (!range.contains(c_.thresholds[i])) {
        refuse("the threshold of {} is {}, which is not {}", label(i), c_.thresholds[i],
               range.limits());
      }
    }
    for (std::size_t j = 0; j < features_; ++j) {
      if (!std::isfinite(c_.representation.mean[j])) {
        refuse("the mean of {} is {}, which is not finite", feature(j), c_.representation.mean[j]);
      }
      if (!(std::isfinite(c_.representation.deviation[j]) && c_.representation.deviation[j] >= 0)) {
        refuse("the deviation of {} is {}, which is not a finite number >= 0", feature(j),
               c_.representation.deviation[j]);
      }
    }
  }

  void check_calibration() const {
    const auto& [slope, shift] = c_.calibration;
    check_count("slopes of the calibration", slope.size(), slope.empty() ? 0 : labels_);
    check_count("shifts of the calibration", shift.size(), slope.size());
    for (std::size_t i = 0; i < slope.size(); ++i) {
      if (slope[i] >= 0 && slope[i] <= Calibration::kMost &&
          std::fabs(shift[i]) <= Calibration::kMost) {
        continue;
      }
      refuse(
          "the calibration of {} has slope {} and shift {}, which must be within {:g}, the slope "
          "at least 0",
          label(i), slope[i], shift[i], Calibration::kMost);
    }
  }

  void check_representation() const {
    const Representation& representation = c_.representation;
    const bool is_weighted =
        representation.kind == RepresentationKind::tfidf || !representation.term_blocks.empty();
    check_count("weights of terms", representation.term_weight.size(), is_weighted ? features_ : 0);
    for (std::size_t j = 0; j < representation.term_weight.size(); ++j) {
      // At least ln(1) + 1, and at most ln of the largest number + 1.
      if (representation.term_weight[j] >= 1 && representation.term_weight[j] < 1000) continue;
      refuse("the term weight of {} is {}, which is not in [1, 1000)", feature(j),
             representation.term_weight[j]);
    }
    const bool has_length = has_row_length(representation.kind);
    if (has_length ? !is_length(representation.row_length) : representation.row_length != 0) {
      refuse("rows of the representation '{}' cannot have the length {}",
             to_string(representation.kind), representation.row_length);
    }
    check_texts();
    check_gaussian();
  }

  static bool is_length(double number) { return number > 0 && std::isfinite(number); }

  void check_texts() const {
    const Representation& representation = c_.representation;
    const auto misplaced = misplaced_text(representation.term_blocks, as_index(features_));
    if (misplaced) refuse("the texts of the model {}", *misplaced);
    const bool has_texts = !representation.term_blocks.empty();
    if (has_texts && representation.kind == RepresentationKind::gaussian) {
      refuse("the model has Gaussian features of texts");
    }
    if (has_texts ? !is_length(representation.text_length) : representation.text_length != 0) {
      refuse("texts of the representation '{}' cannot have the length {}",
             to_string(representation.kind), representation.text_length);
    }
    if (has_texts ? !is_length(representation.beside_texts) : representation.beside_texts != 1) {
      refuse("features beside texts cannot have the factor {}", representation.beside_texts);
    }
  }

  void check_gaussian() const {
    const GaussianFeatures& gaussian = c_.representation.gaussian;
    const auto centres = as_size(gaussian.centres.rows());
    if (c_.representation.kind != RepresentationKind::gaussian) {
      check_count("centres of Gaussian features", centres, 0);
      return;
    }
    if (centres == 0) refuse("the model has Gaussian features without centres");
    check_count("features of each centre", as_size(gaussian.centres.cols()), features_);
    check_count("rows of the projection", as_size(gaussian.projection.rows()), centres);
    check_count("columns of the projection", as_size(gaussian.projection.cols()), centres);
    if (!(gaussian.decay > 0 && std::isfinite(gaussian.decay))) {
      refuse("Gaussian features cannot fall off at the rate {}", gaussian.decay);
    }
    // So that squared lengths of centres and Gaussian features are finite.
    constexpr double kMost = 1e100;
    for (const Matrix<double>* const matrix : {&gaussian.centres, &gaussian.projection}) {
      for (const double number : matrix->values()) {
        if (std::fabs(number) <= kMost) continue;  // false for NaN
        refuse("a number of the Gaussian features is {}, which is not within {:g}", number, kMost);
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
    check_count("columns of relations", as_size(relations.cols), labels_);
    check_count("row starts of relations", relations.row_start.size(), labels_ + 1);
    check_count("strengths of relations", relations.value.size(), relations.column.size());
    if (relations.row_start.front() != 0 || relations.row_start.back() != relations.nonzeros() ||
        !std::is_sorted(relations.row_start.begin(), relations.row_start.end())) {
      refuse("the row starts of the relations are not ascending from 0 to {}",
             relations.nonzeros());
    }
    for (std::size_t i = 0; i < labels_; ++i) check_relations_of(i);
  }

  void check_relations_of(std::size_t i) const {
    std::int64_t previous = -1;
    for (const LabelId other : c_.relations.row_columns(as_index(i))) {
      if (other <= previous || other >= static_cast<std::int64_t>(labels_)) {
        refuse("the relations of {} are not ascending labels below {}", label(i), labels_);
      }
      previous = other;
    }
    for (const double strength : c_.relations.row_values(as_index(i))) {
      if (!(std::isfinite(strength) && strength >= 0)) {
        refuse("a relation of {} has strength {}, which is not a finite number >= 0", label(i),
               strength);
      }
    }
  }

  void check_trained_on() const {
    const auto& [hash, count] = c_.trained_on;
    if (hash.size() > RowSample::kMost) {
      refuse("the model has a sample of {} of its training rows, at most {} can be used",
             hash.size(), RowSample::kMost);
    }
    check_count("counts of its training rows", count.size(), hash.size());
    for (std::size_t k = 0; k < hash.size(); ++k) {
      const bool ascends = k == 0 ? hash[k] >= 0 : hash[k] > hash[k - 1];
      if (!ascends) refuse("the hashes of the training rows do not ascend at number {}", k);
      if (count[k] < 1 || count[k] > RowSample::kMostCount) {
        refuse("training row {} of the sample occurs {} times, which is not in [1, {}]", k,
               count[k], RowSample::kMostCount);
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
    if (report.new_rows < 0 || report.new_rows > report.rows) {
      refuse("the report counts {} new rows of {}", report.new_rows, report.rows);
    }
    const FixedStep fixed = solve.fixed_step.value_or(FixedStep{});
    for (const double number :
         {fixed.step, fixed.curvature, solve.first_residual, solve.residual, solve.minimised}) {
      if (!std::isfinite(number))
        refuse("a number of the report is {}, which is not finite", number);
    }
    for (const LabelId constant : report.constant_labels) {
      if (constant < 0 || as_size(constant) >= labels_) {
        refuse("the report names label {} as constant, but there are {} labels", constant, labels_);
      }
    }
  }

  const ModelContents& c_;
  std::size_t features_;
  std::size_t represented_;  ///< features after the representation
  std::size_t labels_;
  std::size_t columns_;
};

}  // namespace

Model::Model(ModelContents contents)
    : contents_(std::move(contents)), layout_(std::make_shared<Layout>()) {
  Validator(contents_).check();
}

Model Model::with_thresholds(std::vector<double> thresholds) const {
  const auto count = as_size(labels());
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

Model Model::with_calibration(Calibration calibration) const {
  if (!contents_.calibration.is_empty() || calibration.is_empty()) {
    throw UsageError("a calibration needs slopes, and a model that is not calibrated yet");
  }
  if (std::ssize(calibration.slope) != labels() || std::ssize(calibration.shift) != labels()) {
    throw UsageError(fmt::format("a calibration of {} labels for a model of {}",
                                 calibration.slope.size(), labels()));
  }
  Model changed = *this;
  calibrate(changed.contents_, std::move(calibration));
  Validator(changed.contents_).check();
  return changed;
}

ScoreRange score_range(const ModelContents& contents) {
  return contents.calibration.is_empty() ? score_range(contents.head) : ScoreRange{};
}

std::string Model::label_name(LabelId label) const {
  return name_or_number(contents_.label_names, label);
}

std::vector<Relation> strongest_relations(const Model& model, std::size_t most) {
  std::vector<Relation> relations;
  const auto& mbar = model.contents().relations;
  for (LabelId label = 0; label < mbar.rows(); ++label) {
    const auto columns = mbar.row_columns(label);
    const auto strengths = mbar.row_values(label);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] == label || strengths[k] <= 0) continue;
      relations.push_back({label, columns[k], strengths[k]});
    }
  }
  std::ranges::stable_sort(relations, std::ranges::greater{}, &Relation::strength);
  relations.resize(std::min(relations.size(), most));
  return relations;
}

}  // namespace mugrad
