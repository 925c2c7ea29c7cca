// SPDX-License-Identifier: MIT
#include "experiment/shared_expansion.h"

#include "data/gaussian_fit.h"

#include <utility>

namespace mugrad {
namespace {

constexpr Index kMostNumbers = Index{1} << 24;  // 128 MiB, per thread that tries settings

/// The model of the expanded rows as they are.
Model of_expanded_rows(const Model& model) {
  ModelContents contents = model.contents();
  const auto features = as_size(represented_features(contents.representation));
  contents.representation = {.kind = RepresentationKind::none,
                             .mean = std::vector<double>(features, 0),
                             .deviation = std::vector<double>(features, 1)};
  contents.feature_names.clear();
  return Model(std::move(contents));
}

}  // namespace

std::optional<SharedExpansion::Pair> SharedExpansion::expanded(const Model& model,
                                                               Progress* progress) {
  const Representation& representation = model.contents().representation;
  if (representation.gaussian.centres.rows() == 0 ||
      test_.rows() * represented_features(representation) > kMostNumbers) {
    return std::nullopt;
  }
  if (representation_ != representation) {
    ThreadPool pool(threads_);
    representation_ = {};
    expanded_ = {};
    expanded_ = {.x = expanded_rows(test_.x, representation, pool, progress),
                 .y = test_.y,
                 .unknown = test_.unknown};
    representation_ = representation;
  }
  return Pair{of_expanded_rows(model), expanded_};
}

}  // namespace mugrad
