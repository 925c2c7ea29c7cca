// SPDX-License-Identifier: MIT
// A tail is the probability of exceeding a value, a point the value with a given tail. Only this
// file knows the source of these functions.
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// Requires: x >= 0, freedom > 0.
double chi_squared_tail(double x, double freedom);

/// Requires: 0 <= f < infinity, both degrees of freedom > 0.
double fisher_f_tail(double f, double freedom, double rest_freedom);

/// Requires: t >= 0, freedom > 0.
double student_t_tail(double t, double freedom);

/// Of the standard normal distribution.
double normal_tail(double z);
/// Requires: 0 <= tail < 1. Tails below the least normal double are rounded up to it.
double normal_point(double tail);

/// The range of k standard normal variables: the studentized range with known deviation. Requires:
/// q >= 0, k >= 2.
double range_tail(double q, Index k);
/// Requires: 0 < tail < 1, k >= 2.
double range_point(double tail, Index k);

}  // namespace mugrad
