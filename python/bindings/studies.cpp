// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/study.h>
#include <mugrad/report/page.h>

#include <pybind11/stl.h>

namespace py = pybind11;

namespace mugrad::python {
namespace {

using Rows = std::pair<std::vector<Index>, std::vector<Index>>;  // train, test

Dataset dataset_from(const py::object& x, const py::object& y) {
  KnownLabels labels = labels_from(y);
  Dataset data{
      .x = features_from(x), .y = std::move(labels.y), .unknown = std::move(labels.unknown)};
  if (data.x.rows() == data.y.rows()) return data;
  throw UsageError("X has " + std::to_string(data.x.rows()) + " rows, Y has " +
                   std::to_string(data.y.rows()));
}

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
  const auto part = [&](Index k) { return parts[static_cast<std::size_t>(k)]; };
  Watch watch(progress);
  return watch.run([&] {
    return study_json(set, study_sensitivity(data, std::ssize(parts), part, options, &watch));
  });
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("study_convergence", &convergence, py::arg("x"), py::arg("y"), py::arg("rows"),
             py::arg("options"), py::arg("iterations"), py::arg("start_deviation"),
             py::arg("metric"), py::arg("set"), py::arg("threads"), py::arg("progress"));
  module.def("study_sensitivity", &sensitivity, py::arg("x"), py::arg("y"), py::arg("splits"),
             py::arg("options"), py::arg("rhos"), py::arg("sigmas"), py::arg("metric"),
             py::arg("set"), py::arg("threads"), py::arg("progress"));
}

}  // namespace mugrad::python
