// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// LogisticLoss over blocks of scores, many at a time; within a few units in the last place of its
/// formulas, or less than the smallest normal number away. A score that is not a number stays one.
///
/// Scores lie in `rows` rows of `width` entries. Requires: width is a multiple of kLine<Real>; all
/// pointers start on a cache line.

/// z = derivative(z, false).
void logistic_slopes(Index rows, Index width, float* z) noexcept;
void logistic_slopes(Index rows, Index width, double* z) noexcept;

/// As logistic_slopes; before, adds to each column's entry of values what value(z, false) sums to,
/// unless values is null, and to that of bends what second_derivative(z) does.
void logistic_slopes_and_sums(Index rows, Index width, float* z, double* values,
                              double* bends) noexcept;
void logistic_slopes_and_sums(Index rows, Index width, double* z, double* values,
                              double* bends) noexcept;

/// z = second_derivative(z) * u.
void logistic_bends_times(Index rows, Index width, const float* u, float* z) noexcept;
void logistic_bends_times(Index rows, Index width, const double* u, double* z) noexcept;

}  // namespace mugrad
