// SPDX-License-Identifier: MIT
#include "method/feature_checks.h"

#include "method/weights_near_one.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {

void check_range(const NamedFeatures& features, const Scaling& scaling) {
  for (std::size_t k = 0; k < scaling.mean.size(); ++k) {
    if (std::isfinite(scaling.mean[k]) && std::isfinite(scaling.deviation[k])) continue;
    throw InputError(fmt::format(
        "feature '{}' of {} has values too large to train on: its mean is {}, its deviation {}",
        name_or_number(features.names, static_cast<Index>(k)), features.of, scaling.mean[k],
        scaling.deviation[k]));
  }
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
