// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/study.h>
#include <mugrad/report/page.h>

namespace mugrad::python {
namespace {

using Rows = std::pair<std::vector<Index>, std::vector<Index>>;  // train, test

/// Throws UsageError for a row that is not among the n.
SplitRows split_from(const Rows& rows, Index n) {
  for (const auto* part : {&rows.first, &rows.second}) {
    for (const Index row : *part) {
      if (row >= 0 && row < n) continue;
      throw UsageError("a split has row " + std::to_string(row) + ", but there are " +
                       std::to_string(n) + " rows");
    }
  }
  return {.train = rows.first, .test = rows.second};
}

/// What the paper ran, unless other options are given.
MgdOptions convergence_setting(const OptionValues& values) {
  const MgdOptions usual = ConvergenceOptions{}.mgd;
  OptionValues setting = paper_preset();
  setting["rho"] = std::to_string(usual.rho);
  setting["sigma"] = std::to_string(usual.sigma);
  for (const auto& [name, value] : values) setting[name] = value;
  return mgd_options(setting);
}

std::string convergence(const py::object& x, const py::object& y, const Rows& rows,
                        const OptionValues& values, Index iterations, double start_deviation,
                        const std::string& metric, const std::string& set, int threads,
                        const py::object& progress) {
  const Dataset data = dataset_from(x, y);
  ConvergenceOptions options{.mgd = convergence_setting(values),
                             .iterations = iterations,
                             .start_deviation = start_deviation,
                             .metric = metric_named(metric)};
  options.mgd.threads = Threads{threads};
  const SplitRows split = split_from(rows, data.rows());
  Watch watch(progress);
  return watch.run(
      [&] { return study_json(set, study_convergence(take(data, split), options, &watch)); });
}

std::string sensitivity(const py::object& x, const py::object& y, const std::vector<Rows>& splits,
                        const OptionValues& values, std::vector<double> rhos,
                        std::vector<double> sigmas, const std::string& metric,
                        const std::string& set, int threads, const py::object& progress) {
  const Dataset data = dataset_from(x, y);
  SensitivityOptions options{.mgd = mgd_options(values),
                             .rhos = std::move(rhos),
                             .sigmas = std::move(sigmas),
                             .metric = metric_named(metric)};
  options.mgd.threads = Threads{threads};
  std::vector<SplitRows> parts;
  for (const Rows& rows : splits) parts.push_back(split_from(rows, data.rows()));
  const auto part = [&](Index k) { return parts[as_size(k)]; };
  Watch watch(progress);
  return watch.run([&] {
    return study_json(set, study_sensitivity(data, std::ssize(parts), part, options, &watch));
  });
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("study_convergence", &convergence, "x"_a, "y"_a, "rows"_a, "options"_a, "iterations"_a,
             "start_deviation"_a, "metric"_a, "set"_a, "threads"_a, "progress"_a);
  module.def("study_sensitivity", &sensitivity, "x"_a, "y"_a, "splits"_a, "options"_a, "rhos"_a,
             "sigmas"_a, "metric"_a, "set"_a, "threads"_a, "progress"_a);
}

}  // namespace mugrad::python
