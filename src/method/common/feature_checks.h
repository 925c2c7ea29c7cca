// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

// Means, deviations and squares overflow where values do not: say so before anything is trained.

/// Features, and what messages call them and their columns; all must outlive it.
struct NamedFeatures {
  const Features& x;
  const std::vector<std::string>& names;  ///< empty: columns have numbers
  std::string_view of;

  NamedFeatures(const Features& features, const std::vector<std::string>& feature_names,
                std::string_view data)
      : x(features), names(feature_names), of(data) {}
  NamedFeatures(const Dataset& data) : x(data.x), names(data.feature_names), of(data.name) {}
};

/// Throws InputError for a feature whose mean or deviation is not finite.
void check_range(const NamedFeatures& features, const Scaling& scaling);
/// Throws InputError for values whose squares, summed over rows and features, are not finite in
/// this precision.
template <class Real>
void check_magnitude(const NamedFeatures& features, const FeatureTransform& transform);

/// The scaling of a data set's features, after both checks in single precision: what every method
/// but MGD, which has a precision of its own, begins with.
Scaling checked_scaling(const Dataset& data, ScalingKind kind);

}  // namespace mugrad
