// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/representation.h>

#include <algorithm>
#include <vector>

namespace mugrad::testing {

/// The kinds whose rows follow from fit_representation and feature_transform alone.
inline std::vector<RepresentationKind> linear_representations() {
  const auto all = representation_kinds();
  std::vector<RepresentationKind> kinds(all.begin(), all.end());
  std::erase(kinds, RepresentationKind::gaussian);
  return kinds;
}

}  // namespace mugrad::testing
