// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mugrad::testing {

/// A data set of the catalog, when this machine has it: MUGRAD_DATA names the folder, `mugrad fetch
/// --all` fills the user's cache.
std::optional<Dataset> public_set(std::string_view name);

/// Metrics averaged over random 80/20 splits with the seeds 1, 2, ..., at the model's threshold.
std::map<std::string, double> mean_metrics(const Dataset& data, int splits,
                                           const std::function<Model(const Dataset&)>& train);

}  // namespace mugrad::testing
