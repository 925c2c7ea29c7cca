// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace mugrad::python {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

/// What only some methods take.
struct Extras {
  std::optional<Numbers> sigmas;            ///< one per label
  std::optional<Numbers> positive_weights;  ///< one per label
  std::optional<py::object> transfer;       ///< labels x labels
};

CsrMatrix<double> owned_csr(const Features& x) {
  CsrMatrix<double> matrix;
  matrix.cols = x.cols();
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId column, double value) {
      if (value == 0) return;
      matrix.column.push_back(column);
      matrix.value.push_back(value);
    });
    matrix.end_row();
  }
  return matrix;
}

MgdOptions mgd_options_with(const OptionValues& values, const Extras& extras, Index labels,
                            int threads) {
  MgdOptions options = mgd_options(values);
  options.threads = Threads{threads};
  if (extras.sigmas) options.sigma_per_label = *extras.sigmas;
  if (extras.positive_weights) options.positive_weights = *extras.positive_weights;
  if (extras.transfer) {
    options.transfer = transfer_as_given(owned_csr(features_from(*extras.transfer)), labels);
  }
  return options;
}

Model fit_method(const std::string& name, const py::object& x, const py::object& y,
                 const OptionValues& values, Names feature_names, Names label_names,
                 std::optional<Numbers> row_weights, std::optional<Numbers> sigmas,
                 std::optional<Numbers> positive_weights, std::optional<py::object> transfer,
                 int threads, const py::object& progress) {
  const Method& method = method_named(name);
  auto labels = labels_from(y);
  const Dataset data{.name = {},
                     .x = features_from(x),
                     .y = std::move(labels.y),
                     .unknown = std::move(labels.unknown),
                     .row_weights = std::move(row_weights).value_or(Numbers{}),
                     .feature_names = std::move(feature_names),
                     .label_names = std::move(label_names)};
  if (data.x.rows() != data.y.rows()) throw UsageError("X and Y have different numbers of rows");
  Watch watch(progress);
  if (name == "mgd") {
    const Extras extras{std::move(sigmas), std::move(positive_weights), std::move(transfer)};
    const auto options = mgd_options_with(values, extras, data.labels(), threads);
    return watch.run([&] { return fit(data, options, &watch); });
  }
  return watch.run([&] { return method.fit(data, values, Threads{threads}, &watch); });
}

py::dict described(const Method& method) {
  py::list options;
  for (const OptionInfo& option : method.options()) {
    py::dict one;
    one["name"] = option.name;
    one["help"] = option.help;
    one["default"] = option.initial;
    one["choices"] = option.choices;
    options.append(one);
  }
  py::dict described;
  described["summary"] = method.summary();
  described["options"] = options;
  return described;
}

py::dict all_methods() {
  py::dict all;
  for (const Method* const method : methods()) {
    all[py::str(std::string(method->name()))] = described(*method);
  }
  return all;
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("methods", &all_methods);
  module.def("thread_count", [] { return Threads{}.resolved(); });
  module.def("fit", &fit_method, py::arg("method"), py::arg("x"), py::arg("y"), py::arg("options"),
             py::kw_only(), py::arg("feature_names") = Names{}, py::arg("label_names") = Names{},
             py::arg("row_weights") = py::none(), py::arg("sigmas") = py::none(),
             py::arg("positive_weights") = py::none(), py::arg("transfer") = py::none(),
             py::arg("threads") = 0, py::arg("progress") = py::none());
}

}  // namespace mugrad::python
