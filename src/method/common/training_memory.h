// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"
#include "solver/solver_memory.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>

#include <string>

namespace mugrad {

// Memory needs that several methods share.

/// The features of a data set, with a column of ones.
DesignShape design_of(const DataShape& shape);

/// Numbers for every feature and every label, and the labels in the form of training: scaling,
/// counts, thresholds, names.
MemoryNeed statistics_memory(const DataShape& shape);

/// The features as linear tasks store them.
template <class Real>
MemoryNeed features_memory(const DesignShape& design, Index tasks);

/// Linear tasks that find_equilibrium solves.
struct LinearRun {
  DesignShape design;
  Index tasks = 0;
  CouplingKind coupling = CouplingKind::none;
  bool is_plain = false;  ///< solved by run_mgd instead
  int threads = 1;
};
/// The weights and the memory for solving besides the features; or the model's own weights,
/// `model_bytes`, when it is created.
template <class Real>
MemoryNeed solving_memory(const LinearRun& run, double model_bytes);

/// "training on emotions (593 examples, 72 features, 6 labels)".
std::string training_on(const Dataset& data);

}  // namespace mugrad
