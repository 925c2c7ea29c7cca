// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/data/scaling.h>

#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

constexpr Name<ScalingKind> kNames[] = {{ScalingKind::zscore, "zscore"},
                                        {ScalingKind::none, "none"},
                                        {ScalingKind::unit_row, "unit-row"}};

struct ColumnExtent {
  double lowest = 0;
  double highest = 0;
  Index stored = 0;
};

double weight_of(std::span<const double> row_weights, Index row) {
  return row_weights.empty() ? 1 : row_weights[static_cast<std::size_t>(row)];
}

/// A column whose entries are all the same has deviation exactly 0, whatever rounding does to its
/// mean. Rows that do not count are not looked at.
std::vector<bool> constant_columns(const Features& x, std::span<const double> row_weights) {
  std::vector<ColumnExtent> extent(static_cast<std::size_t>(x.cols()));
  Index rows = 0;
  for (Index row = 0; row < x.rows(); ++row) {
    if (weight_of(row_weights, row) == 0) continue;
    ++rows;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      auto& seen = extent[static_cast<std::size_t>(column)];
      seen.lowest = seen.stored == 0 ? value : std::fmin(seen.lowest, value);
      seen.highest = seen.stored == 0 ? value : std::fmax(seen.highest, value);
      ++seen.stored;
    });
  }
  std::vector<bool> constant(extent.size());
  for (std::size_t column = 0; column < extent.size(); ++column) {
    const auto& seen = extent[column];
    constant[column] = seen.stored == 0 || (seen.stored == rows && seen.lowest == seen.highest);
  }
  return constant;
}

}  // namespace

std::string_view to_string(ScalingKind kind) { return name_of<ScalingKind>(kNames, kind); }

ScalingKind scaling_named(std::string_view name) {
  return named<ScalingKind>(kNames, name, "scaling");
}

Scaling fit_scaling(const Features& x, ScalingKind kind, std::span<const double> row_weights) {
  const auto columns = static_cast<std::size_t>(x.cols());
  Scaling scaling{.kind = kind,
                  .mean = std::vector<double>(columns, 0),
                  .deviation = std::vector<double>(columns, 0)};
  if (x.rows() == 0) return scaling;
  const double rows = row_weights.empty()
                          ? static_cast<double>(x.rows())
                          : std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
  std::vector<double> stored(columns, 0);  // rows that store something, as often as they count
  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      scaling.mean[static_cast<std::size_t>(column)] += weight * value;
      stored[static_cast<std::size_t>(column)] += weight;
    });
  }
  for (double& mean : scaling.mean) mean /= rows;

  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = static_cast<std::size_t>(column);
      const double distance = value - scaling.mean[k];
      scaling.deviation[k] += weight * (distance * distance);
    });
  }
  const auto constant = constant_columns(x, row_weights);
  for (std::size_t k = 0; k < columns; ++k) {
    const double zeros = std::fmax(0, rows - stored[k]);
    const double squares = scaling.deviation[k] + zeros * scaling.mean[k] * scaling.mean[k];
    scaling.deviation[k] = constant[k] ? 0 : std::sqrt(squares / rows);
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
