// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// LogisticLoss over blocks of scores, vectorised. Results are within a few units in the last place
/// of its formulas, or within the smallest normal number. NaN stays NaN.
///
/// Scores are in `rows` rows of `width` entries. Requires: width is a multiple of kLine<Real>; all
/// pointers start on a cache line.

/// z = derivative(z, false).
void logistic_slopes(Index rows, Index width, float* z) noexcept;
void logistic_slopes(Index rows, Index width, double* z) noexcept;

/// As logistic_slopes. Before, adds the column sums of value(z, false) to values, unless it is
/// null, and those of second_derivative(z) to curvatures.
void logistic_slopes_and_sums(Index rows, Index width, float* z, double* values,
                              double* curvatures) noexcept;
void logistic_slopes_and_sums(Index rows, Index width, double* z, double* values,
                              double* curvatures) noexcept;

/// z = second_derivative(z) * u.
void logistic_curvature_times(Index rows, Index width, const float* u, float* z) noexcept;
void logistic_curvature_times(Index rows, Index width, const double* u, double* z) noexcept;

}  // namespace mugrad
