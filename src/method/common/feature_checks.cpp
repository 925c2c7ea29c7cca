// SPDX-License-Identifier: MIT
#include "method/common/feature_checks.h"

#include "linalg/row_factors.h"
#include "method/common/weights_near_one.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {

namespace {

// Beyond these, shifting a value, or the inverse of a deviation, may overflow.
constexpr double kLeastDeviation = 1e-300, kMostMagnitude = 1e300;

/// For features that are divided by their deviations.
void check_deviations(const NamedFeatures& features, const Representation& representation) {
  for (std::size_t k = 0; k < representation.deviation.size(); ++k) {
    const double deviation = representation.deviation[k];
    if (deviation == 0 || deviation >= kLeastDeviation) continue;
    throw InputError(fmt::format(
        "feature '{}' of {} has values too small to standardise: its deviation is {:.3g}, below "
        "{:g}; "
        "multiply it by a constant, or drop it",
        name_or_number(features.names, as_index(k)), features.of, deviation, kLeastDeviation));
  }
}

bool divides_by_deviations(const Representation& representation) {
  return representation.kind == RepresentationKind::zscore ||
         representation.kind == RepresentationKind::gaussian ||
         (representation.kind == RepresentationKind::none && !representation.term_blocks.empty());
}

/// For examples that are scaled to one length.
void check_lengths(const NamedFeatures& features, const FeatureTransform& transform) {
  RowFactors<double> of_row;
  for (Index row = 0; row < features.x.rows(); ++row) {
    of_row.begin(transform, features.x, row);
    const auto is_finite = [](double factor) { return std::isfinite(factor); };
    if (std::ranges::all_of(of_row.of_parts(), is_finite)) continue;
    throw InputError(fmt::format(
        "example {} of {} has values too small to be scaled to one length: none is above "
        "{:g} in size",
        row + 1, features.of, std::numeric_limits<double>::min()));
  }
}

}  // namespace

void check_range(const NamedFeatures& features, const Representation& representation) {
  for (std::size_t k = 0; k < representation.mean.size(); ++k) {
    const double size = std::max(std::fabs(representation.mean[k]), representation.deviation[k]);
    if (size <= kMostMagnitude) continue;  // false for NaN
    throw InputError(fmt::format(
        "feature '{}' of {} has values too large to train on: its mean is {}, its deviation {}",
        name_or_number(features.names, as_index(k)), features.of, representation.mean[k],
        representation.deviation[k]));
  }
  if (divides_by_deviations(representation)) check_deviations(features, representation);
  const FeatureTransform transform = feature_transform(representation);
  if (!transform.parts.is_empty()) check_lengths(features, transform);
}

template <class Real>
void check_magnitude(const NamedFeatures& features, const FeatureTransform& transform) {
  double largest = 0;
  const Features& x = features.x;
  for (Index i = 0; i < x.rows(); ++i) {
    PartOfColumn part_of(transform.parts);
    x.for_each_in_row(i, [&](FeatureId k, double value) {
      if (part_of(k) != ScaledParts::kNone) return;
      const auto at = as_size(k);
      const double factor = transform.factor.empty() ? 1 : transform.factor[at];
      largest = std::max(largest, std::fabs(value * factor));
    });
  }
  const double entries = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  const double most = std::sqrt(static_cast<double>(std::numeric_limits<Real>::max()) / entries);
  if (largest <= most) return;
  throw InputError(fmt::format(
      "{} has values too large to train on as they are: {:.3g}, where the maximum is {:.3g}",
      features.of, largest, most));
}

Representation checked_representation(const Dataset& data, RepresentationKind kind,
                                      double text_weight) {
  Representation representation = fit_representation(
      data.x, kind, weights_near_one(data.row_weights), data.term_blocks, text_weight);
  check_range(data, representation);
  check_magnitude<float>(data, feature_transform(representation));
  return representation;
}

template void check_magnitude<float>(const NamedFeatures&, const FeatureTransform&);
template void check_magnitude<double>(const NamedFeatures&, const FeatureTransform&);

}  // namespace mugrad
