// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <cstdint>
#include <vector>

namespace mugrad::testing {

inline constexpr Index kRandomHeadFeatures = 3;

/// A valid random model of every kind of head, for kRandomHeadFeatures features. Which words a head
/// has (its link, its vote, ...) depends on the seed, too.
std::vector<Model> random_model_of_every_head(std::uint64_t seed);

}  // namespace mugrad::testing
