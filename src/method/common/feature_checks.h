// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

// Means, deviations and squares can overflow for finite values; check that before training.

/// Features, and their names in messages; all must outlive it.
struct NamedFeatures {
  const Features& x;
  const std::vector<std::string>& names;  ///< empty: columns are numbered
  std::string_view of;

  NamedFeatures(const Features& features, const std::vector<std::string>& feature_names,
                std::string_view data)
      : x(features), names(feature_names), of(data) {}
  NamedFeatures(const Dataset& data) : x(data.x), names(data.feature_names), of(data.name) {}
};

/// Throws InputError for a feature whose mean or deviation is not finite.
void check_range(const NamedFeatures& features, const Representation& representation);
/// Throws InputError for values whose squares, summed over rows and features, are not finite in
/// this precision.
template <class Real>
void check_magnitude(const NamedFeatures& features, const FeatureTransform& transform);

/// The scaling of a data set's features, after both checks in single precision. All methods except
/// MGD, which has its own precision, begin with this.
Representation checked_representation(const Dataset& data, RepresentationKind kind,
                                      double text_weight);

}  // namespace mugrad
