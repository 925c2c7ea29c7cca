// SPDX-License-Identifier: MIT
#include "method/common/gaussian_training.h"

#include "linalg/scaled_rows.h"
#include "method/common/weights_near_one.h"

#include <utility>

namespace mugrad {

GaussianFit represent(const NamedFeatures& features, const std::vector<double>& row_weights,
                      const GaussianRequest& request, Progress* progress) {
  const auto weights = weights_near_one(row_weights);
  const auto statistics_of = [&](const Features& x) {
    return fit_representation(x, RepresentationKind::gaussian, weights);
  };
  // Statistics are computed from dense rows, so that sparse ones give the same bits.
  const Representation statistics = features.x.is_sparse()
                                        ? statistics_of(transformed_rows(features.x, {}))
                                        : statistics_of(features.x);
  check_range(features, statistics);
  ThreadPool pool(request.threads);
  return fit_gaussian({.x = features.x, .row_weights = weights, .statistics = statistics},
                      request.features, request.seed, request.in_double, pool, progress);
}

GaussianData::GaussianData(const Dataset& original, const GaussianRequest& request,
                           Progress* progress) {
  GaussianFit fit = represent(original, original.row_weights, request, progress);
  representation = std::move(fit.representation);
  data = {.name = original.name,
          .x = std::move(fit.rows),
          .y = original.y,
          .unknown = original.unknown,
          .row_weights = original.row_weights,
          .label_names = original.label_names};
}

void check_gaussian_training(const Dataset& data, const MemoryNeed& need) {
  check_trainable(data);
  check_representable(RepresentationKind::gaussian, data.term_blocks);
  require_memory(need, training_on(data), "fewer examples, or fewer centres of Gaussian features,");
}

Model with_gaussian(const Model& model, const Representation& representation,
                    const std::vector<std::string>& feature_names, const TableEncoding& encoding) {
  ModelContents contents = model.contents();
  contents.encoding = encoding;
  contents.representation = representation;
  contents.feature_names = feature_names;
  contents.options["representation"] = to_string(representation.kind);
  return Model(std::move(contents));
}

}  // namespace mugrad
