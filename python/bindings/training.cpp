// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "tables.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd_regression.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mugrad::python {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

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

TransferMatrix given_transfer(const py::object& matrix, Index tasks) {
  return transfer_as_given(owned_csr(features_from(matrix)), tasks);
}

/// `table`, which may be null, says how the features were made.
Dataset training_data(const py::object& x, const py::object& y, const TableFeatures* table,
                      Names feature_names, Names label_names, std::optional<Numbers> row_weights) {
  auto labels = labels_from(y);
  Dataset data{.name = "the training data",
               .x = features_from(x),
               .y = std::move(labels.y),
               .unknown = std::move(labels.unknown),
               .row_weights = std::move(row_weights).value_or(Numbers{}),
               .feature_names = std::move(feature_names),
               .label_names = std::move(label_names)};
  if (table != nullptr) {
    data.feature_names = table->names;
    data.term_blocks = table->term_blocks;
    data.encoding = table->encoding;
  }
  if (data.x.rows() != data.y.rows()) throw UsageError("X and Y have different numbers of rows");
  return data;
}

Model fit_method(const std::string& name, const py::object& x, const py::object& y,
                 const OptionValues& values, Names feature_names, Names label_names,
                 std::optional<Numbers> row_weights, std::optional<Numbers> sigmas,
                 std::optional<Numbers> positive_weights, std::optional<py::object> transfer,
                 std::shared_ptr<Model> initial, const TableFeatures* table, bool by_inner_folds,
                 bool keep_curvature, int threads, const py::object& progress) {
  const Method& method = method_named(name);
  method.check(values);
  const Dataset data = training_data(x, y, table, std::move(feature_names), std::move(label_names),
                                     std::move(row_weights));
  TrainingExtras extras{.start = std::move(initial),
                        .sigma_per_label = std::move(sigmas).value_or(Numbers{}),
                        .positive_weights = std::move(positive_weights).value_or(Numbers{})};
  if (transfer) extras.transfer = given_transfer(*transfer, data.labels());
  Watch watch(progress);
  TuneOptions folds{.threads = Threads{threads}};
  if (by_inner_folds) {
    folds.calibrate = true;
    folds.thresholds = ThresholdRule::one;
  }
  return watch.run([&] {
    const Model model = fit_by_inner_folds(data, method, values, extras, folds, &watch);
    if (!keep_curvature) return model;
    ProgressFunction at_the_end([&](double) { return watch.update(1); });
    return with_curvature(model, data, Threads{threads}, &at_the_end);
  });
}

/// The model trained further, and what was done that the user may not expect.
std::pair<Model, Names> continue_model(const Model& model, const py::object& x, const py::object& y,
                                       const OptionValues& values, Names feature_names,
                                       Names label_names, std::optional<Numbers> row_weights,
                                       const TableFeatures* table, int threads,
                                       const py::object& progress) {
  const Dataset data = training_data(x, y, table, std::move(feature_names), std::move(label_names),
                                     std::move(row_weights));
  Names notes;
  const Continuation how{.values = values,
                         .threads = Threads{threads},
                         .note = [&](const auto& note) { notes.push_back(note); }};
  Watch watch(progress);
  return {watch.run([&] { return continue_training(model, data, how, &watch); }), notes};
}

Model fit_targets(const py::object& x, const py::array_t<double, py::array::c_style>& y,
                  const OptionValues& values, Names feature_names, Names target_names,
                  std::optional<Numbers> row_weights, std::optional<py::object> transfer,
                  std::shared_ptr<Model> initial, int threads, const py::object& progress) {
  RegressionData data{.x = features_from(x),
                      .y = Matrix<double>(y.shape(0), y.shape(1)),
                      .row_weights = std::move(row_weights).value_or(Numbers{}),
                      .feature_names = std::move(feature_names),
                      .target_names = std::move(target_names)};
  std::copy_n(y.data(), y.size(), data.y.data());
  auto options = regression_options(values);
  options.initial = std::move(initial);
  options.threads = Threads{threads};
  if (transfer) options.transfer = given_transfer(*transfer, data.y.cols());
  Watch watch(progress);
  return watch.run([&] { return fit_regression(data, options, &watch); });
}

py::list described(const std::vector<OptionInfo>& options) {
  py::list all;
  for (const OptionInfo& option : options) {
    all.append(py::dict("name"_a = option.name, "help"_a = option.help,
                        "default"_a = option.initial, "choices"_a = option.choices,
                        "was"_a = option.was));
  }
  return all;
}

/// The options of every method, and of regression, by its name.
py::dict options_of_all() {
  py::dict all;
  for (const Method* const method : methods()) {
    all[py::str(std::string(method->name()))] = described(method->options());
  }
  all["mgd-regression"] = described(regression_option_infos());
  return all;
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("options", &options_of_all);
  module.def(
      "set_memory_limit",
      [](const std::string& limit) { set_memory_limit(memory_limit_named(limit)); }, "limit"_a);
  module.def("thread_count", [] { return Threads{}.resolved(); });
  module.attr("MOST_THREADS") = Threads::kMost;
  module.def("fit", &fit_method, "method"_a, "x"_a, "y"_a, "options"_a, py::kw_only(),
             "feature_names"_a = Names{}, "label_names"_a = Names{}, "row_weights"_a = py::none(),
             "sigmas"_a = py::none(), "positive_weights"_a = py::none(), "transfer"_a = py::none(),
             "initial"_a = py::none(), "table"_a = py::none(), "by_inner_folds"_a = false,
             "keep_curvature"_a = false, "threads"_a = 0, "progress"_a = py::none());
  module.def("continue_training", &continue_model, "model"_a, "x"_a, "y"_a, "options"_a,
             py::kw_only(), "feature_names"_a = Names{}, "label_names"_a = Names{},
             "row_weights"_a = py::none(), "table"_a = py::none(), "threads"_a = 0,
             "progress"_a = py::none());
  module.def("fit_regression", &fit_targets, "x"_a, "y"_a, "options"_a, py::kw_only(),
             "feature_names"_a = Names{}, "target_names"_a = Names{}, "row_weights"_a = py::none(),
             "transfer"_a = py::none(), "initial"_a = py::none(), "threads"_a = 0,
             "progress"_a = py::none());
}

}  // namespace mugrad::python
