// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>

#include <cstdint>

namespace mugrad::testing {

/// Sparse data of two texts with numbers before, between and after them. A number is constant, a
/// term and a number never occur, and some rows have no terms of the first text. Labels depend on
/// the numbers and on both texts.
Dataset text_problem(Index rows, std::uint64_t seed);

/// The rows of `x` in the representation of the training data, by its definition, all written out.
Matrix<double> plain_represented(const Features& x, const Dataset& training,
                                 RepresentationKind kind, double text_weight = 1);

}  // namespace mugrad::testing
