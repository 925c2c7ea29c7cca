// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>

#include <functional>
#include <string>
#include <vector>

namespace mugrad {

/// New examples in the columns of a model, which they may extend: terms of texts that the model
/// lacks are in their places, and new labels follow those of the model.
struct FittedData {
  Dataset data;
  std::vector<Index> from;       ///< the model's feature in each column; negative: it is new
  std::vector<LabelId> lacking;  ///< labels of which the data say nothing: no example has them
};

/// Matches features and labels by name if both sides have names, otherwise by position. New labels
/// with fewer than `min_count` positives are ignored, and `note`, which may be null, is told.
/// Throws InputError for data that do not fit the model.
FittedData fitted_to(const Model& model, Dataset data, Index min_count,
                     const std::function<void(const std::string&)>& note);

/// The model in these columns. Weights, intercepts and curvature of new ones are 0, and thresholds
/// of new labels `threshold`; their calibration hardly changes scores. The weights of new terms are
/// those of rows that have none of them. Without a curvature, it stays without one.
ModelContents widened(const Model& model, const FittedData& fitted, double threshold);

}  // namespace mugrad
