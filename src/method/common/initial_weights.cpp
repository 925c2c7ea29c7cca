// SPDX-License-Identifier: MIT
#include "method/common/initial_weights.h"

#include "linalg/row_factors.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

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

/// (x - shift) * factor, the linear part of the representation; factors include lengths of parts.
struct Affine {
  std::vector<double> shift, factor;
};

Affine affine_of(const Representation& representation) {
  const FeatureTransform transform = feature_transform(representation);
  Affine result{transform.shift, transform.factor};
  result.shift.resize(representation.mean.size(), 0);
  result.factor.resize(representation.mean.size(), 1);
  PartOfColumn part_of(transform.parts);
  for (std::size_t k = 0; k < result.factor.size(); ++k) {
    const Index part = part_of(as_index(k));
    if (part != ScaledParts::kNone) result.factor[k] *= transform.parts.length[as_size(part)];
  }
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
                    "score per label, as {} have",
                    kind_of(contents.head), contents.report.method,
                    names_of_methods([](const MethodTraits& of) { return of.takes_start; })));
  }
  if (head->link != successor.link) {
    throw UsageError(
        fmt::format("the scores of the model to start from have the link '{}', those "
                    "to be trained have '{}'",
                    to_string(head->link), to_string(successor.link)));
  }
  const auto was = contents.representation.kind;
  if (was == RepresentationKind::gaussian) throw_gaussian_start();
  const bool is_linear = !has_row_length(was) && !has_row_length(successor.representation);
  if (was != successor.representation && !is_linear) {
    throw UsageError(fmt::format(
        "the model to start from was trained with the representation '{}', and its weights are "
        "invalid with '{}'",
        to_string(was), to_string(successor.representation)));
  }
  if (!std::ranges::equal(contents.representation.term_blocks, successor.term_blocks)) {
    throw UsageError(
        "other features are terms of texts in the model to start from than in the data, and its "
        "weights are invalid with these");
  }
}

void throw_gaussian_start() {
  throw UsageError(fmt::format(
      "training cannot start from a model with the representation '{}', nor with this "
      "representation from another model: each training has Gaussian features of its own",
      to_string(RepresentationKind::gaussian)));
}

std::vector<double> weight_ratios(const Representation& from, const Representation& to) {
  std::vector<double> ratios = affine_of(from).factor;
  const std::vector<double> divisors = affine_of(to).factor;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    ratios[k] = divisors[k] > 0 ? ratios[k] / divisors[k] : 0;
  }
  return ratios;
}

Matrix<double> weights_under(const Model& model, const Representation& representation) {
  const auto& contents = model.contents();
  Matrix<double> result(model.features() + 1, model.labels());
  std::ranges::copy(contents.intercepts, result.row(0).begin());
  std::visit([&](const auto& weights) { std::ranges::copy(weights.values(), result.row(0).end()); },
             contents.weights);
  if (contents.representation == representation) return result;
  const Affine from = affine_of(contents.representation);
  const Affine to = affine_of(representation);
  const auto ratios = weight_ratios(contents.representation, representation);
  const auto intercepts = result.row(0);
  for (std::size_t k = 0; k < to.shift.size(); ++k) {
    // w (x - m) f = (w f / g) (x - n) g + w f (n - m)
    const double moved = from.factor[k] * (to.shift[k] - from.shift[k]);
    const auto row = result.row(as_index(k) + 1);
    for (std::size_t t = 0; t < row.size(); ++t) {
      intercepts[t] += row[t] * moved;
      row[t] *= ratios[k];
    }
  }
  return result;
}

}  // namespace mugrad
