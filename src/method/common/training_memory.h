// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"
#include "solver/solver_memory.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/data_shape.h>

#include <string>

namespace mugrad {

// What methods hold in memory, as far as they have it in common.

/// The features of a data set, with a column of ones.
DesignShape design_of(const DataShape& shape);

/// Numbers for every feature and every label, and the labels as training takes them: scaling,
/// counts, thresholds, names.
MemoryNeed statistics_memory(const DataShape& shape);

/// The features as linear tasks hold them.
template <class Real>
MemoryNeed features_memory(const DesignShape& design, Index tasks);

/// Linear tasks that find_equilibrium solves.
struct LinearRun {
  DesignShape design;
  Index tasks = 0;
  Coupling coupling = Coupling::none;
  bool is_plain = false;  ///< by run_mgd instead
  int threads = 1;
};
/// The weights, and what solving takes besides the features; then what the model's own weights,
/// `model_bytes`, take when it is made of them.
template <class Real>
MemoryNeed solving_memory(const LinearRun& run, double model_bytes);

/// "training on emotions (593 examples, 72 features, 6 labels)".
std::string training_on(const Dataset& data);

}  // namespace mugrad
