// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "linalg/row_weight.h"

#include <mugrad/data/representation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

constexpr Name<RepresentationKind> kNames[] = {
    {RepresentationKind::zscore, "zscore"},     {RepresentationKind::none, "none"},
    {RepresentationKind::unit, "unit"},         {RepresentationKind::tfidf, "tfidf"},
    {RepresentationKind::unit_row, "unit-row"}, {RepresentationKind::gaussian, "gaussian"}};

/// The factor of z-scores beside Gaussian features.
constexpr double kBesideGaussian = 0.3;

/// Of each column, over all rows with positive weight.
struct ColumnExtents {
  std::vector<double> stored, least, largest;
  double rows = 0;

  /// A constant column has deviation exactly 0, whatever the rounding of its mean.
  bool is_constant(std::size_t column) const noexcept {
    return stored[column] == 0 || (stored[column] == rows && least[column] == largest[column]);
  }

  /// The power of two by which a column is scaled so that neither its sum nor its squares overflow
  /// or underflow a double: 1, unless values are near the limits.
  double unit(std::size_t column) const noexcept {
    constexpr int kOrdinary = 400, kMost = 1000;
    const double size = std::fmax(std::fabs(least[column]), std::fabs(largest[column]));
    if (stored[column] == 0 || size == 0 || !std::isfinite(size)) return 1;
    const int exponent = std::ilogb(size);
    if (std::abs(exponent) <= kOrdinary) return 1;
    return std::ldexp(1.0, std::clamp(-exponent, -kMost, kMost));
  }
};

ColumnExtents extents_of(const Features& x, std::span<const double> row_weights,
                         const OtherRows& others) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto columns = as_size(x.cols());
  ColumnExtents extents{.stored = std::vector<double>(columns, 0),
                        .least = std::vector<double>(columns, kNone),
                        .largest = std::vector<double>(columns, -kNone)};
  for (Index row = 0; row < x.rows(); ++row) {
    if (weight_of(row_weights, row) == 0) continue;
    ++extents.rows;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      ++extents.stored[k];
      if (value < extents.least[k]) extents.least[k] = value;
      if (value > extents.largest[k]) extents.largest[k] = value;
    });
  }
  others.sum({&extents.rows, 1});
  others.sum(extents.stored);
  others.least(extents.least);
  others.largest(extents.largest);
  return extents;
}

/// The length of all rows if `features` of them occur; 0 if rows keep their lengths.
double row_length(RepresentationKind kind, std::ptrdiff_t features) {
  if (kind == RepresentationKind::unit_row) return 1;
  if (!has_row_length(kind)) return 0;
  return std::sqrt(10 * std::sqrt(static_cast<double>(std::max<std::ptrdiff_t>(1, features))));
}

}  // namespace

bool has_row_length(RepresentationKind kind) noexcept {
  return kind == RepresentationKind::unit || kind == RepresentationKind::tfidf ||
         kind == RepresentationKind::unit_row;
}

Index represented_features(const Representation& representation) noexcept {
  return std::ssize(representation.mean) + representation.gaussian.centres.rows();
}

bool suits(RepresentationKind kind, const Features& x) {
  const bool is_gaussian = kind == RepresentationKind::gaussian;
  if (!is_gaussian && !has_row_length(kind)) return true;
  constexpr double kMostlyZero = 0.2;  // largest share of values that are not zero
  const double values = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  const bool is_mostly_zero = static_cast<double>(x.nonzeros()) < kMostlyZero * values;
  return is_mostly_zero != is_gaussian;
}

std::span<const RepresentationKind> representation_kinds() {
  static const auto kinds = [] {
    std::array<RepresentationKind, std::size(kNames)> all{};
    std::ranges::transform(kNames, all.begin(), &Name<RepresentationKind>::value);
    return all;
  }();
  return kinds;
}

std::string_view to_string(RepresentationKind kind) {
  return name_of<RepresentationKind>(kNames, kind);
}

RepresentationKind representation_named(std::string_view name) {
  return named<RepresentationKind>(kNames, name, "representation");
}

Representation fit_representation(const Features& x, RepresentationKind kind,
                                  std::span<const double> row_weights) {
  const auto as_it_is = [](std::span<double>) {};
  return fit_representation(x, kind, row_weights,
                            {.sum = as_it_is, .least = as_it_is, .largest = as_it_is});
}

Representation fit_representation(const Features& x, RepresentationKind kind,
                                  std::span<const double> row_weights, const OtherRows& others) {
  const auto columns = as_size(x.cols());
  Representation representation{.kind = kind,
                                .mean = std::vector<double>(columns, 0),
                                .deviation = std::vector<double>(columns, 0)};
  double rows = row_weights.empty() ? static_cast<double>(x.rows())
                                    : std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
  others.sum({&rows, 1});
  if (rows == 0) return representation;
  const auto extents = extents_of(x, row_weights, others);
  std::vector<double> unit(columns, 1);
  for (std::size_t k = 0; k < columns; ++k) unit[k] = extents.unit(k);
  std::vector<double> stored(columns, 0);   // weight of rows with a stored entry
  std::vector<double> present(columns, 0);  // and with one that is not zero
  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      representation.mean[k] += weight * (value * unit[k]);
      stored[k] += weight;
      if (value != 0) present[k] += weight;
    });
  }
  others.sum(representation.mean);
  others.sum(stored);
  others.sum(present);
  for (double& mean : representation.mean) mean /= rows;

  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      const double distance = value * unit[k] - representation.mean[k];
      representation.deviation[k] += weight * (distance * distance);
    });
  }
  others.sum(representation.deviation);
  for (std::size_t k = 0; k < columns; ++k) {
    const double zeros = std::fmax(0, rows - stored[k]);
    const double squares =
        representation.deviation[k] + zeros * representation.mean[k] * representation.mean[k];
    representation.deviation[k] = extents.is_constant(k) ? 0 : std::sqrt(squares / rows) / unit[k];
    representation.mean[k] /= unit[k];
  }
  if (kind == RepresentationKind::tfidf) {
    for (const double rows_with : present) {
      representation.term_weight.push_back(std::log((1 + rows) / (1 + rows_with)) + 1);
    }
  }
  representation.row_length =
      row_length(kind, std::ranges::count_if(present, [](double weight) { return weight > 0; }));
  return representation;
}

FeatureTransform feature_transform(const Representation& representation) {
  FeatureTransform transform{.factor = representation.term_weight,
                             .row_length = representation.row_length};
  const bool is_gaussian = representation.kind == RepresentationKind::gaussian;
  if (representation.kind != RepresentationKind::zscore && !is_gaussian) return transform;
  const auto features = as_size(represented_features(representation));
  const double beside = is_gaussian ? kBesideGaussian : 1;
  transform.shift = representation.mean;
  transform.shift.resize(features, 0);
  transform.factor.reserve(features);
  for (const double deviation : representation.deviation) {
    transform.factor.push_back(deviation > 0 ? beside / deviation : 0);
  }
  transform.factor.resize(features, 1);
  return transform;
}

}  // namespace mugrad
