// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <array>

namespace mugrad::testing {

/// Forty examples of three features that are sines, and three labels that follow from the features
/// and from each other: simple enough to be made again in another language.
Dataset waves();

/// What another program says of some of the examples.
struct KnownScores {
  Index row = 0;
  std::array<double, 3> scores = {};
};

}  // namespace mugrad::testing
