// SPDX-License-Identifier: MIT
#include "method/common/initial_weights.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {
namespace {

void check_names(std::string_view what, const std::vector<std::string>& model,
                 const std::vector<std::string>& data) {
  if (model.empty() || data.empty()) return;
  const auto [of_model, of_data] = std::ranges::mismatch(model, data);
  if (of_model == model.end()) return;
  throw UsageError(fmt::format("{} {} of the model to start from is '{}', that of the data is '{}'",
                               what, of_model - model.begin(), *of_model, *of_data));
}

void check_count(std::string_view what, Index of_model, Index of_data) {
  if (of_model == of_data) return;
  throw UsageError(
      fmt::format("the model to start from has {} {}, the data has {}", of_model, what, of_data));
}

/// (x - shift) * factor, as far as it is linear in x.
struct Affine {
  std::vector<double> shift, factor;
};

Affine affine_of(const Scaling& scaling) {
  const FeatureTransform transform = feature_transform(scaling);
  Affine result{transform.shift, transform.factor};
  result.shift.resize(scaling.mean.size(), 0);
  result.factor.resize(scaling.mean.size(), 1);
  return result;
}

}  // namespace

void check_initial(const Model& model, const Successor& successor) {
  const auto& contents = model.contents();
  check_count("features", model.features(), successor.features);
  check_count("labels", model.labels(), successor.labels);
  check_names("feature", contents.feature_names, successor.feature_names);
  check_names("label", contents.label_names, successor.label_names);
  const auto* const head = std::get_if<IndependentHead>(&contents.head);
  if (head == nullptr) {
    throw UsageError(
        fmt::format("the model to start from has the head '{}' of method {}; expected one linear "
                    "score per label, as mgd and br have",
                    kind_of(contents.head), contents.report.method));
  }
  if (head->link != successor.link) {
    throw UsageError(
        fmt::format("the scores of the model to start from have the link '{}', those "
                    "to be trained have '{}'",
                    to_string(head->link), to_string(successor.link)));
  }
  const bool was_unit = contents.scaling.kind == ScalingKind::unit_row;
  const bool is_unit = successor.scaling == ScalingKind::unit_row;
  if (was_unit != is_unit) {
    throw UsageError(fmt::format(
        "the model to start from was trained under scaling '{}', and its weights mean nothing "
        "under '{}'",
        to_string(contents.scaling.kind), to_string(successor.scaling)));
  }
}

Matrix<double> weights_under(const Model& model, const Scaling& scaling) {
  const auto& contents = model.contents();
  Matrix<double> result(model.features() + 1, model.labels());
  std::ranges::copy(contents.intercepts, result.row(0).begin());
  std::visit([&](const auto& weights) { std::ranges::copy(weights.values(), result.row(0).end()); },
             contents.weights);
  if (contents.scaling == scaling) return result;
  const Affine from = affine_of(contents.scaling);
  const Affine to = affine_of(scaling);
  const auto intercepts = result.row(0);
  for (std::size_t k = 0; k < to.shift.size(); ++k) {
    // w (x - m) f = (w f / g) (x - n) g + w f (n - m)
    const double moved = from.factor[k] * (to.shift[k] - from.shift[k]);
    const double ratio = to.factor[k] > 0 ? from.factor[k] / to.factor[k] : 0;
    const auto row = result.row(static_cast<Index>(k) + 1);
    for (std::size_t t = 0; t < row.size(); ++t) {
      intercepts[t] += row[t] * moved;
      row[t] *= ratio;
    }
  }
  return result;
}

}  // namespace mugrad
