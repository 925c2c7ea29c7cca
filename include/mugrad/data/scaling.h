// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/feature_transform.h>

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

/// How features are scaled before training and, with the same statistics, before predicting.
enum class ScalingKind {
  zscore,  ///< (x - mean) / deviation per feature; a constant feature becomes 0
  none,
  unit_row,  ///< every row divided by its Euclidean length; a zero row stays zero
};

std::string_view to_string(ScalingKind kind);
/// Throws UsageError listing the names there are.
ScalingKind scaling_named(std::string_view name);

/// Scaling with the statistics it was fitted on.
struct Scaling {
  ScalingKind kind = ScalingKind::zscore;
  std::vector<double> mean = {};  ///< of each feature in the training part, whatever the kind
  /// Square root of the mean squared deviation; 0 for a constant feature.
  std::vector<double> deviation = {};

  bool operator==(const Scaling&) const = default;
};

/// Statistics of the rows given, which should be the training part alone. Rows count as
/// `row_weights` say, each >= 0 and not all 0; empty: once.
Scaling fit_scaling(const Features& x, ScalingKind kind, std::span<const double> row_weights = {});

/// Makes of one number per column, of the rows at hand, that of all rows.
using AcrossParts = std::function<void(std::span<double>)>;

/// The rows that are elsewhere, as far as statistics need to know of them.
struct OtherRows {
  AcrossParts sum = {}, least = {}, largest = {};
};
/// The same of these and other rows. Every holder of rows must call it.
Scaling fit_scaling(const Features& x, ScalingKind kind, std::span<const double> row_weights,
                    const OtherRows& others);

/// What the scaling does to a feature matrix.
FeatureTransform feature_transform(const Scaling& scaling);

}  // namespace mugrad
