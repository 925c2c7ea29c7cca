// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/random.h>
#include <mugrad/data/dataset.h>

#include <algorithm>
#include <vector>

namespace mugrad::bench {

struct SparseRowsOptions {
  Index rows = 100'000;
  Index features = 10'000;
  Index labels = 1'000;
  Index nonzeros = 50;    ///< of a row, at most
  Index cardinality = 5;  ///< labels of a row, at most
};

/// Data with as many labels as one likes, in time that does not grow with them: each label marks
/// a few features of its own, and a row has features of its labels, the rest at random.
inline Dataset sparse_rows(const SparseRowsOptions& options) {
  constexpr Index kMarks = 20;  // features of a label
  RandomStream random(1, "bench-sparse-rows");
  const auto below = [&](Index bound) {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(bound)));
  };
  std::vector<FeatureId> marks(static_cast<std::size_t>(options.labels * kMarks));
  for (FeatureId& mark : marks) mark = below(options.features);

  Dataset data{.name = "generated"};
  CsrMatrix<double> x{.cols = options.features};
  data.y.cols = options.labels;
  std::vector<LabelId> labels;
  std::vector<FeatureId> features;
  const auto sort_unique = [](auto& ids) {
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
  };
  for (Index row = 0; row < options.rows; ++row) {
    labels.clear();
    features.clear();
    // Labels that follow each other occur together: there is something to transfer.
    const auto first = below(options.labels);
    for (Index k = 0; k < options.cardinality; ++k) {
      labels.push_back(
          static_cast<LabelId>((first + below(2 * options.cardinality)) % options.labels));
    }
    for (Index k = 0; k < options.nonzeros; ++k) {
      const auto label = labels[static_cast<std::size_t>(below(options.cardinality))];
      features.push_back(k % 2 == 0
                             ? below(options.features)
                             : marks[static_cast<std::size_t>(label * kMarks + below(kMarks))]);
    }
    sort_unique(labels);
    sort_unique(features);
    data.y.column.insert(data.y.column.end(), labels.begin(), labels.end());
    data.y.end_row();
    for (const FeatureId feature : features) {
      x.column.push_back(feature);
      x.value.push_back(0.5 + random.uniform());
    }
    x.end_row();
  }
  data.x = std::move(x);
  return data;
}

}  // namespace mugrad::bench
