// SPDX-License-Identifier: MIT
#include "method/common/widened_model.h"

#include "core/printable.h"
#include "data/representation_update.h"

#include <mugrad/core/error.h>
#include <mugrad/data/align.h>
#include <mugrad/data/files.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace mugrad {
namespace {

constexpr Index kNew = -1;

using Positions = std::unordered_map<std::string_view, Index>;

Positions positions_of(const std::vector<std::string>& names) {
  Positions positions;
  for (std::size_t k = 0; k < names.size(); ++k) positions.emplace(names[k], as_index(k));
  return positions;
}

/// The model's column of each of the data's, or kNew.
std::vector<Index> matched(const std::vector<std::string>& model,
                           const std::vector<std::string>& data) {
  const Positions positions = positions_of(model);
  std::vector<Index> from;
  for (const auto& name : data) {
    const auto found = positions.find(name);
    from.push_back(found == positions.end() ? kNew : found->second);
  }
  return from;
}

bool has_new_terms(const std::vector<Index>& from, const std::vector<TermBlock>& texts) {
  return std::ranges::any_of(texts, [&](const TermBlock& text) {
    const auto terms = std::span(from).subspan(as_size(text.first), as_size(text.count));
    return std::ranges::find(terms, kNew) != terms.end();
  });
}

/// Puts the features into their columns; returns the model's feature of each.
std::vector<Index> fit_features(const Model& model, Dataset& data,
                                const std::function<void(const std::string&)>& note) {
  const auto& contents = model.contents();
  const auto& names = contents.feature_names;
  std::vector<Index> from;
  if (!names.empty() && !data.feature_names.empty()) from = matched(names, data.feature_names);
  if (!from.empty() && has_new_terms(from, data.term_blocks)) {
    const bool has_all =
        std::ranges::count_if(from, [](Index k) { return k >= 0; }) == std::ssize(names);
    const bool is_encoded = data.encoding.columns.size() == contents.encoding.columns.size();
    if (has_all && is_encoded) return from;
    throw InputError(fmt::format(
        "the texts of {} have terms that the model lacks, and its other features are not those of "
        "the model: read it with the model's encoding",
        data.name));
  }
  data.x = align_features(data, {.count = model.features(), .names = names}, note);
  data.feature_names = names;
  data.encoding = contents.encoding;
  data.term_blocks = contents.representation.term_blocks;
  from.resize(as_size(model.features()));
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = as_index(k);
  return from;
}

/// Where labels of the data go; kNew: they are ignored.
struct LabelPlan {
  std::vector<Index> target;
  std::vector<std::string> names;  ///< of all labels; or empty
  Index count = 0;
  std::vector<bool> is_there;  ///< whether the data have the label
};

/// By position, labels of the data are the first of the model, or more.
void plan_by_position(const Model& model, const Dataset& data, LabelPlan& plan) {
  const Index labels = model.labels();
  if (data.labels() < labels && !data.widths_inferred) {
    throw InputError(fmt::format(
        "{} has {} labels, the model has {}, and without names on both sides they are matched by "
        "position",
        data.name, data.labels(), labels));
  }
  if (data.labels() > labels && !plan.names.empty()) {
    throw InputError(fmt::format(
        "{} has {} labels without names, and the model {} with names: new labels need names",
        data.name, data.labels(), labels));
  }
  for (Index i = 0; i < data.labels(); ++i) plan.target.push_back(i);
  plan.count = std::max(labels, data.labels());
}

/// Throws for rows without any label.
[[noreturn]] void fail_without_labels(const Model& model, const Dataset& data) {
  const auto& columns = model.contents().encoding.columns;
  const auto tags = std::ranges::find(columns, ColumnRole::tags, &EncodedColumn::role);
  throw InputError(
      fmt::format("{} has no labels to train on{}", data.name,
                  tags == columns.end()
                      ? ""
                      : fmt::format(": no row has one in the column '{}'", printable(tags->name))));
}

LabelPlan plan_labels(const Model& model, const Dataset& data, Index min_count,
                      const std::function<void(const std::string&)>& note) {
  if (data.labels() == 0) fail_without_labels(model, data);
  LabelPlan plan{
      .target = {}, .names = model.contents().label_names, .count = model.labels(), .is_there = {}};
  const bool by_name = !plan.names.empty() && !data.label_names.empty();
  const auto positives = column_counts(data.y);
  if (!by_name) {
    plan_by_position(model, data, plan);
  } else {
    plan.target = matched(plan.names, data.label_names);
    std::vector<std::string> rare;
    for (std::size_t i = 0; i < plan.target.size(); ++i) {
      if (plan.target[i] != kNew) continue;
      if (positives[i] < min_count) {
        rare.push_back(data.label_names[i]);
        continue;
      }
      plan.target[i] = plan.count++;
      plan.names.push_back(data.label_names[i]);
    }
    if (!rare.empty() && note) {
      note(fmt::format("ignored {} new label{} in fewer than {} rows: {}", rare.size(),
                       rare.size() == 1 ? "" : "s", min_count, listing(rare)));
    }
  }
  plan.is_there.assign(as_size(plan.count), false);
  for (std::size_t i = 0; i < plan.target.size(); ++i) {
    if (plan.target[i] == kNew) continue;
    // Rows that list their labels by number say nothing of a label that none lists.
    const bool is_listed = !data.widths_inferred || positives[i] > 0;
    plan.is_there[as_size(plan.target[i])] = is_listed;
  }
  return plan;
}

BinaryMatrix with_columns(const BinaryMatrix& from, const LabelPlan& plan) {
  BinaryMatrix result{.cols = plan.count};
  std::vector<LabelId> row;
  for (Index i = 0; i < from.rows(); ++i) {
    row.clear();
    for (const LabelId label : from.row(i)) {
      const Index target = plan.target[as_size(label)];
      if (target != kNew) row.push_back(static_cast<LabelId>(target));
    }
    std::ranges::sort(row);
    result.column.insert(result.column.end(), row.begin(), row.end());
    result.end_row();
  }
  return result;
}

/// Rows of features and columns of labels in their new places; `first` rows stay.
template <class Real>
Matrix<Real> rearranged(const Matrix<Real>& matrix, std::span<const Index> from, Index labels,
                        Index first) {
  Matrix<Real> result(std::ssize(from) + first, labels);
  for (Index k = 0; k < result.rows(); ++k) {
    const Index old = k < first ? k : from[as_size(k - first)];
    if (old == kNew) continue;
    const auto row = matrix.row(k < first ? k : old + first);
    std::ranges::copy(row, result.row(k).begin());
  }
  return result;
}

Curvature rearranged(const Curvature& curvature, std::span<const Index> from, Index labels) {
  if (curvature.is_empty()) return {};
  Curvature result{.examples = curvature.examples,
                   .diagonal = rearranged(curvature.diagonal, from, labels, 1)};
  result.examples.resize(as_size(labels), 0);
  result.factor = Matrix<float>(curvature.factor.rows(), std::ssize(from) + 1);
  for (Index j = 0; j < result.factor.rows(); ++j) {
    result.factor(j, 0) = curvature.factor(j, 0);
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (from[k] != kNew) result.factor(j, as_index(k) + 1) = curvature.factor(j, from[k] + 1);
    }
  }
  return result;
}

/// The calibration of scores that are probabilities already, or nearly so: for linear scores near 0
/// and 1, the logistic function with its middle and slope there.
void extend(const Head& head, std::size_t labels, Calibration& calibration) {
  if (calibration.is_empty()) return;
  const bool are_probabilities = score_range(head).are_probabilities;
  calibration.slope.resize(labels, are_probabilities ? 1 : 4);
  calibration.shift.resize(labels, are_probabilities ? 0 : -2);
}

}  // namespace

FittedData fitted_to(const Model& model, Dataset data, Index min_count,
                     const std::function<void(const std::string&)>& note) {
  FittedData fitted{.data = std::move(data), .from = {}, .lacking = {}};
  Dataset& rows = fitted.data;
  const LabelPlan plan = plan_labels(model, rows, min_count, note);
  fitted.from = fit_features(model, rows, note);
  for (Index label = 0; label < plan.count; ++label) {
    if (!plan.is_there[as_size(label)]) fitted.lacking.push_back(static_cast<LabelId>(label));
  }
  if (rows.unknown.rows() > 0) rows.unknown = with_columns(rows.unknown, plan);
  rows.y = with_columns(rows.y, plan);
  rows.label_names = plan.names;
  return fitted;
}

ModelContents widened(const Model& model, const FittedData& fitted, double threshold) {
  ModelContents contents = model.contents();
  const auto labels = fitted.data.labels();
  const auto rows = static_cast<double>(contents.report.rows);
  contents.feature_names = fitted.data.feature_names;
  contents.label_names = fitted.data.label_names;
  contents.encoding = fitted.data.encoding;
  contents.representation =
      moved(contents.representation,
            {.from = fitted.from, .term_blocks = fitted.data.term_blocks, .rows_before = rows});
  std::visit([&](auto& weights) { weights = rearranged(weights, fitted.from, labels, 0); },
             contents.weights);
  contents.curvature = rearranged(contents.curvature, fitted.from, labels);
  contents.intercepts.resize(as_size(labels), 0);
  contents.thresholds.resize(as_size(labels), threshold);
  extend(contents.head, as_size(labels), contents.calibration);
  contents.relations.cols = labels;
  for (Index label = model.labels(); label < labels; ++label) {
    contents.relations.column.push_back(static_cast<LabelId>(label));
    contents.relations.value.push_back(1);
    contents.relations.end_row();
  }
  return contents;
}

}  // namespace mugrad
