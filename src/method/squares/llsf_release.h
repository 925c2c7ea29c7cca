// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "objective/coupled_squares.h"
#include "solver/proximal_gradient.h"

#include <span>

namespace mugrad {

// What the program released by the authors of LLSF and LLSF-DL does.

inline constexpr double kReleaseTolerance = 1e-3;
inline constexpr Index kReleaseIterations = 100;

/// The bound of the curvature that LLSF takes, sqrt(2 (|A'A|^2 + |alpha R|^2)).
double release_curvature(const SquaresParts& parts);

/// Accelerated proximal gradient steps with momentum one step late. Blocks of rows, which begin and
/// end at the positions given, take turns within a step, each looking at what those before it have
/// become. Ends when |A W - Y|^2 + alpha tr(R W'W) plus the cost of the weights that are not zero,
/// whatever their size, is negative or hardly changes. Throws InterruptedError.
ProximalReport run_release(QuadraticFunction& q, const Sparsity& sparsity,
                           std::span<const Index> blocks, double curvature, Matrix<double>& weights,
                           Stages& stages);

}  // namespace mugrad
