// SPDX-License-Identifier: MIT
#pragma once

#include "method/labelsets/labelsets.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/data_shape.h>
#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <string_view>
#include <vector>

namespace mugrad {

/// How the classes of labelsets are trained, and scored.
struct LabelsetTraining {
  double rho = 0.01;
  LabelsetScore score = LabelsetScore::marginal;
  Stopping stopping = {};
  Threads threads = {};
};

/// Trains a softmax regression for every labelset, whose classes are the combinations of its labels
/// that occur, and fills in weights, intercepts, head and report of `contents`, which come from
/// new_model. A set with one class only always predicts that. Small sets are solved side by side,
/// one thread each.
/// Throws InputError when a set has so many classes that memory does not suffice, DivergenceError,
/// and InterruptedError when `progress`, which may be null, asks to stop.
void train_labelsets(const Dataset& data, const std::vector<Labelset>& sets,
                     const LabelsetTraining& training, Progress* progress, ModelContents& contents);

/// What helps where that takes too much memory.
inline constexpr std::string_view kFewerCombinations =
    "fewer features, labels or combinations of labels";

/// How many combinations of labels sets have.
struct LabelsetCounts {
  Index sets = 1;
  Index most_classes = 0;  ///< of any set
  Index all_classes = 0;
};
/// The memory that training takes besides the data, when it takes most: with sets side by side
/// where there is room for that.
MemoryNeed labelsets_memory(const DataShape& shape, const LabelsetCounts& counts, Threads threads);

}  // namespace mugrad
