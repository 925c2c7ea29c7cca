// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>

namespace mugrad {

// Means, deviations and squares overflow where values do not: say so before anything is trained.

/// Throws InputError for a feature whose mean or deviation is not finite.
void check_range(const Dataset& data, const Scaling& scaling);
/// Throws InputError for values whose squares, summed over rows and features, are not finite in
/// this precision.
template <class Real>
void check_magnitude(const Dataset& data, const FeatureTransform& transform);

/// The scaling of a data set's features, after both checks in single precision: what every method
/// but MGD, which has a precision of its own, begins with.
Scaling checked_scaling(const Dataset& data, ScalingKind kind);

}  // namespace mugrad
