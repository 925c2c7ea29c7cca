// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "data/gaussian_fit.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_request.h"
#include "method/common/initial_weights.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"

#include <string>
#include <vector>

namespace mugrad {

// Methods know nothing of Gaussian features: they train on represented rows as they are, and their
// model then gets the representation.

/// The share of the progress for representing the examples.
inline constexpr double kGaussianShare = 0.1;

/// Draws centres and represents the examples. Throws InputError for features that cannot be
/// z-scored.
GaussianFit represent(const NamedFeatures& features, const std::vector<double>& row_weights,
                      const GaussianRequest& request, Progress* progress);
/// The data with represented rows. `progress` as in `represent`.
struct GaussianData {
  GaussianData(const Dataset& original, const GaussianRequest& request, Progress* progress);

  Dataset data;
  Representation representation;
};

/// Throws what training on these data throws before Gaussian features are made; `need` is the peak
/// memory.
void check_gaussian_training(const Dataset& data, const MemoryNeed& need);

/// A model of represented rows as one of rows with these features, made of the columns of a table
/// as `encoding` says.
Model with_gaussian(const Model& model, const Representation& representation,
                    const std::vector<std::string>& feature_names,
                    const TableEncoding& encoding = {});

/// Throws UsageError if training is to start from a model.
template <class Options>
void check_no_start(const Options& options) {
  if constexpr (TakesStart<Options>) {
    if (options.initial) throw_gaussian_start();
  }
}

/// Represents the data and calls train(represented data, options for it, the rest of the progress).
template <class Options, class Train>
auto train_gaussian(const Dataset& data, const Options& options, Progress* progress,
                    const Train& train) {
  check_options(options);
  check_no_start(options);
  check_gaussian_training(data, whole_memory_need(shape_of(data), options));
  Stages stages(progress, Stages::Iterates::passed_on);
  stages.enter(0, kGaussianShare);
  const GaussianData gaussian(data, gaussian_request(options), &stages);
  stages.enter(kGaussianShare, 1);
  return train(gaussian, as_represented(options), &stages);
}

/// `fit` if the representation is gaussian.
template <class Options>
Model fit_with_gaussian_features(const Dataset& data, const Options& options, Progress* progress) {
  return train_gaussian(data, options, progress,
                        [&](const GaussianData& given, const Options& inner, Progress* rest) {
                          return with_gaussian(fit(given.data, inner, rest), given.representation,
                                               data.feature_names, data.encoding);
                        });
}

}  // namespace mugrad
