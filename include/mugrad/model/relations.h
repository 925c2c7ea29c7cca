// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace mugrad {

/// One label borrowing from another.
struct Relation {
  LabelId label;
  LabelId from;
  double strength;  ///< positive
};

/// What each label borrows from others, strongest first, ties by label; at most `most`. None when
/// the model was trained without transfer.
std::vector<Relation> strongest_relations(
    const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace mugrad
