// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "method/common/option_list.h"
#include "method/squares/label_squares.h"

#include <mugrad/method/llsf.h>

namespace mugrad {

void list_options(LlsfOptions& options, OptionList& list);
/// What training takes besides the data, when it takes most.
MemoryNeed memory_need(const DataShape& shape, const LlsfOptions& options);

/// What `parity` means for the other options.
LlsfOptions with_parity(LlsfOptions options);

struct LlsfSolution {
  Matrix<double> weights;  ///< of the ones in row 0, then of the features
  ProximalReport run = {};
};

/// Requires: there are labels to train. Throws InterruptedError.
LlsfSolution solve_llsf(const LabelSquares& squares, const LlsfOptions& options, ThreadPool& pool,
                        Stages& stages);

}  // namespace mugrad
