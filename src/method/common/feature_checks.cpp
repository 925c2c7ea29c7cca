// SPDX-License-Identifier: MIT
#include "method/common/feature_checks.h"

#include "method/common/weights_near_one.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {

namespace {

// Beyond these a value, or one over a deviation, may not be a number any more when it is shifted.
constexpr double kLeastDeviation = 1e-300, kMostMagnitude = 1e300;

/// A feature is to have deviation 1 then.
void check_deviations(const NamedFeatures& features, const Scaling& scaling) {
  for (std::size_t k = 0; k < scaling.deviation.size(); ++k) {
    const double deviation = scaling.deviation[k];
    if (deviation == 0 || deviation >= kLeastDeviation) continue;
    throw InputError(fmt::format(
        "feature '{}' of {} has values too small to standardise: its deviation is {:.3g}, and {:g} "
        "is the least; multiply it by a constant, or leave it out",
        name_or_number(features.names, static_cast<Index>(k)), features.of, deviation,
        kLeastDeviation));
  }
}

/// An example is to have length 1 then.
void check_lengths(const NamedFeatures& features) {
  for (Index row = 0; row < features.x.rows(); ++row) {
    if (std::isfinite(unit_row_factor(features.x, row))) continue;
    throw InputError(
        fmt::format("example {} of {} has values too small to be scaled to length 1: none is above "
                    "{:g} in size",
                    row + 1, features.of, std::numeric_limits<double>::min()));
  }
}

}  // namespace

void check_range(const NamedFeatures& features, const Scaling& scaling) {
  for (std::size_t k = 0; k < scaling.mean.size(); ++k) {
    const double size = std::max(std::fabs(scaling.mean[k]), scaling.deviation[k]);
    if (size <= kMostMagnitude) continue;  // false for what is not a number
    throw InputError(fmt::format(
        "feature '{}' of {} has values too large to train on: its mean is {}, its deviation {}",
        name_or_number(features.names, static_cast<Index>(k)), features.of, scaling.mean[k],
        scaling.deviation[k]));
  }
  if (scaling.kind == ScalingKind::zscore) check_deviations(features, scaling);
  if (scaling.kind == ScalingKind::unit_row) check_lengths(features);
}

template <class Real>
void check_magnitude(const NamedFeatures& features, const FeatureTransform& transform) {
  double largest = 0;
  const Features& x = features.x;
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId k, double value) {
      const auto at = static_cast<std::size_t>(k);
      const double factor = transform.factor.empty() ? 1 : transform.factor[at];
      largest = std::max(largest, std::fabs(value * factor));
    });
  }
  const double entries = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  const double most = std::sqrt(static_cast<double>(std::numeric_limits<Real>::max()) / entries);
  if (transform.unit_rows || largest <= most) return;
  throw InputError(fmt::format(
      "{} has values too large to train on without scaling: {:.3g}, where {:.3g} is the most",
      features.of, largest, most));
}

Scaling checked_scaling(const Dataset& data, ScalingKind kind) {
  Scaling scaling = fit_scaling(data.x, kind, weights_near_one(data.row_weights));
  check_range(data, scaling);
  check_magnitude<float>(data, feature_transform(scaling));
  return scaling;
}

template void check_magnitude<float>(const NamedFeatures&, const FeatureTransform&);
template void check_magnitude<double>(const NamedFeatures&, const FeatureTransform&);

}  // namespace mugrad
