// SPDX-License-Identifier: MIT
#include "support/public_sets.h"

#include <mugrad/data/catalog.h>
#include <mugrad/data/files.h>
#include <mugrad/data/splits.h>
#include <mugrad/metric/evaluate.h>

namespace mugrad::testing {

std::optional<Dataset> public_set(std::string_view name) {
  const auto path = find_local(*find_in_catalog(name));
  if (!path) return std::nullopt;
  return read_dataset(*path);
}

std::map<std::string, double> mean_metrics(const Dataset& data, int splits,
                                           const std::function<Model(const Dataset&)>& train) {
  std::map<std::string, double> mean;
  for (int seed = 1; seed <= splits; ++seed) {
    const auto split = random_split(data, {.seed = static_cast<std::uint64_t>(seed)});
    const Model model = train(split.train);
    const auto found = evaluate(model.scores(split.test.x), split.test.y,
                                {.thresholds = model.contents().thresholds});
    for (const auto& metric : found.metrics) mean[metric.metric.name()] += metric.value / splits;
  }
  return mean;
}

}  // namespace mugrad::testing
