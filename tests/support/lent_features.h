// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <vector>

namespace mugrad::testing {

/// The same data with every feature rounded to a float.
Dataset rounded_to_float(Dataset data);

/// The same features, borrowed, with values in this precision. Sparse ones are the last rows of a
/// larger matrix, so that their entries do not start at 0.
template <class Real>
Features lent(const Features& x);

/// Features borrowed as float, borrowed as double, and held as float.
/// Requires: every value is a float.
std::vector<Features> every_loan(const Features& x);

}  // namespace mugrad::testing
