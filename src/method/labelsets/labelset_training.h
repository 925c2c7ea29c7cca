// SPDX-License-Identifier: MIT
#pragma once

#include "method/labelsets/labelsets.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>

#include <string_view>
#include <vector>

namespace mugrad {

/// How the classes of labelsets are trained and scored.
struct LabelsetTraining {
  double rho = 0.01;
  LabelsetScore score = LabelsetScore::marginal;
  Stopping stopping = {};
  Threads threads = {};
};

/// Trains a softmax regression for every labelset, whose classes are the combinations of its labels
/// that occur, and fills in weights, intercepts, head and report of `contents` from new_model. A
/// set with only one class always predicts it. Small sets are solved in parallel, one thread each.
/// Throws InputError if a set has too many classes for the memory, DivergenceError, and
/// InterruptedError if `progress`, which may be null, asks to stop.
void train_labelsets(const Dataset& data, const std::vector<Labelset>& sets,
                     const LabelsetTraining& training, Progress* progress, ModelContents& contents);

/// What to reduce if that needs too much memory.
inline constexpr std::string_view kFewerCombinations =
    "fewer features, labels or combinations of labels";

/// The numbers of label combinations of the sets.
struct LabelsetCounts {
  Index sets = 1;
  Index most_classes = 0;  ///< of any set
  Index all_classes = 0;
};
/// The peak memory of training without the data; sets are solved in parallel if there is enough
/// memory.
MemoryNeed labelsets_memory(const DataShape& shape, const LabelsetCounts& counts, Threads threads);

}  // namespace mugrad
