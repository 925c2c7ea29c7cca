// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "linalg/row_weight.h"

#include <mugrad/data/scaling.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

constexpr Name<ScalingKind> kNames[] = {{ScalingKind::zscore, "zscore"},
                                        {ScalingKind::none, "none"},
                                        {ScalingKind::unit_row, "unit-row"}};

/// Of each column, over all rows that count.
struct ColumnExtents {
  std::vector<double> stored, least, largest;
  double rows = 0;

  /// A column whose entries are all the same has deviation exactly 0, whatever rounding does to its
  /// mean.
  bool is_constant(std::size_t column) const noexcept {
    return stored[column] == 0 || (stored[column] == rows && least[column] == largest[column]);
  }

  /// A power of two by which the values of a column are multiplied, so that neither their sum nor
  /// their squares leave the range of a double: 1, unless they are near its ends.
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
  const auto columns = static_cast<std::size_t>(x.cols());
  ColumnExtents extents{.stored = std::vector<double>(columns, 0),
                        .least = std::vector<double>(columns, kNone),
                        .largest = std::vector<double>(columns, -kNone)};
  for (Index row = 0; row < x.rows(); ++row) {
    if (weight_of(row_weights, row) == 0) continue;
    ++extents.rows;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = static_cast<std::size_t>(column);
      ++extents.stored[k];
      extents.least[k] = std::fmin(extents.least[k], value);
      extents.largest[k] = std::fmax(extents.largest[k], value);
    });
  }
  others.sum({&extents.rows, 1});
  others.sum(extents.stored);
  others.least(extents.least);
  others.largest(extents.largest);
  return extents;
}

}  // namespace

std::string_view to_string(ScalingKind kind) { return name_of<ScalingKind>(kNames, kind); }

ScalingKind scaling_named(std::string_view name) {
  return named<ScalingKind>(kNames, name, "scaling");
}

Scaling fit_scaling(const Features& x, ScalingKind kind, std::span<const double> row_weights) {
  const auto as_it_is = [](std::span<double>) {};
  return fit_scaling(x, kind, row_weights,
                     {.sum = as_it_is, .least = as_it_is, .largest = as_it_is});
}

Scaling fit_scaling(const Features& x, ScalingKind kind, std::span<const double> row_weights,
                    const OtherRows& others) {
  const auto columns = static_cast<std::size_t>(x.cols());
  Scaling scaling{.kind = kind,
                  .mean = std::vector<double>(columns, 0),
                  .deviation = std::vector<double>(columns, 0)};
  double rows = row_weights.empty() ? static_cast<double>(x.rows())
                                    : std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
  others.sum({&rows, 1});
  if (rows == 0) return scaling;
  const auto extents = extents_of(x, row_weights, others);
  std::vector<double> unit(columns, 1);
  for (std::size_t k = 0; k < columns; ++k) unit[k] = extents.unit(k);
  std::vector<double> stored(columns, 0);  // rows that store something, as often as they count
  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = static_cast<std::size_t>(column);
      scaling.mean[k] += weight * (value * unit[k]);
      stored[k] += weight;
    });
  }
  others.sum(scaling.mean);
  others.sum(stored);
  for (double& mean : scaling.mean) mean /= rows;

  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = static_cast<std::size_t>(column);
      const double distance = value * unit[k] - scaling.mean[k];
      scaling.deviation[k] += weight * (distance * distance);
    });
  }
  others.sum(scaling.deviation);
  for (std::size_t k = 0; k < columns; ++k) {
    const double zeros = std::fmax(0, rows - stored[k]);
    const double squares = scaling.deviation[k] + zeros * scaling.mean[k] * scaling.mean[k];
    scaling.deviation[k] = extents.is_constant(k) ? 0 : std::sqrt(squares / rows) / unit[k];
    scaling.mean[k] /= unit[k];
  }
  return scaling;
}

FeatureTransform feature_transform(const Scaling& scaling) {
  FeatureTransform transform;
  transform.unit_rows = scaling.kind == ScalingKind::unit_row;
  if (scaling.kind != ScalingKind::zscore) return transform;
  transform.shift = scaling.mean;
  transform.factor.reserve(scaling.deviation.size());
  for (const double deviation : scaling.deviation) {
    transform.factor.push_back(deviation > 0 ? 1 / deviation : 0);
  }
  return transform;
}

}  // namespace mugrad
