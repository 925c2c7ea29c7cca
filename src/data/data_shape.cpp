// SPDX-License-Identifier: MIT
#include <mugrad/data/data_shape.h>

#include <algorithm>
#include <vector>

namespace mugrad {

Index DataShape::labels_that_occur() const {
  if (y == nullptr) return labels;
  // There may be far more labels than ones: room for the ones, then, not for the labels.
  auto ones = y->column;
  std::ranges::sort(ones);
  return std::unique(ones.begin(), ones.end()) - ones.begin();
}

DataShape shape_of(const Dataset& data) {
  return {.rows = data.rows(),
          .features = data.features(),
          .labels = data.labels(),
          .stored = data.x.stored(),
          .positives = data.y.ones(),
          .is_sparse = data.x.is_sparse(),
          .y = &data.y};
}

}  // namespace mugrad
