// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <functional>
#include <span>

namespace mugrad {

/// An estimate from above of the largest eigenvalue of a symmetric positive semi-definite matrix
/// of size n, given by its product with a vector: the power iteration's value plus a margin of
/// 2 %, which covers what is left when it stops.
double largest_eigenvalue_bound(
    Index n, const std::function<void(std::span<const double>, std::span<double>)>& multiply);

}  // namespace mugrad
