// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "method/common/option_list.h"
#include "method/squares/label_squares.h"
#include "objective/coupled_squares.h"
#include "solver/proximal_gradient.h"

#include <mugrad/method/llsf.h>

#include <span>

namespace mugrad {

void list_options(LlsfOptions& options, OptionList& list);
/// The peak memory of training, without the data.
MemoryNeed memory_need(const DataShape& shape, const LlsfOptions& options);

/// Applies `parity` to the other options.
LlsfOptions with_parity(LlsfOptions options);

struct LlsfSolution {
  Matrix<double> weights;  ///< row 0 of the ones, then of the features
  ProximalReport run = {};
};

/// Requires: there are labels to train. Throws InterruptedError.
LlsfSolution solve_llsf(const LabelSquares& squares, const LlsfOptions& options, ThreadPool& pool,
                        Stages& stages);

// The program released by the authors of LLSF and LLSF-DL.

inline constexpr double kReleaseTolerance = 1e-3;
inline constexpr Index kReleaseIterations = 100;

/// Its bound on the curvature for LLSF, sqrt(2 (|A'A|^2 + |alpha R|^2)).
double release_curvature(const SquaresParts& parts);

/// Accelerated proximal gradient steps with momentum one step late. Blocks of rows, with these
/// boundaries, take turns within a step and use the updated earlier blocks. Ends when
/// A W - Y|^2 + alpha tr(R W'W) plus the penalty times the number of non-zero weights is negative
/// or hardly changes. Throws InterruptedError.
ProximalReport run_release(QuadraticFunction& q, const Sparsity& sparsity,
                           std::span<const Index> blocks, double curvature, Matrix<double>& weights,
                           Stages& stages);

}  // namespace mugrad
