// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mugrad {

/// Labels come in groups: the tasks of one group share a direction in feature space, tasks of
/// different groups are independent. Two labels are related exactly when they share a group.
struct GeneratorOptions {
  Index rows = 500;
  Index features = 50;
  Index labels = 20;
  Index group_size = 4;      ///< labels per group; the last group may be smaller
  double relatedness = 0.9;  ///< squared cosine between a task and its group's direction, [0, 1]
  /// Mean number of labels per row, in (0, labels). Default: 3 or half the labels, whichever is
  /// less.
  std::optional<double> cardinality = {};
  double noise = 0.3;  ///< standard deviation of the noise added to unit-variance scores
  double density = 1;  ///< share of the features that are non-zero in a row; < 1 makes them sparse
  std::uint64_t seed = 1;
};

struct GeneratedData {
  Dataset data = {};
  std::vector<Index> group = {};  ///< the group of each label
  /// Every pair i < j of labels of one group: the true label graph.
  std::vector<std::pair<LabelId, LabelId>> related = {};
};

/// Updates `progress` every few rows and labels.
GeneratedData generate(const GeneratorOptions& options = {}, Progress* progress = nullptr);

}  // namespace mugrad
