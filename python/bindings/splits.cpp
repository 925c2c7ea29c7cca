// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/data/splits.h>

#include <algorithm>

namespace mugrad::python {
namespace {

py::array_t<Index> to_python(const std::vector<Index>& rows) {
  return py::array_t<Index>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

py::tuple to_python(const SplitRows& split) {
  return py::make_tuple(to_python(split.train), to_python(split.test));
}

/// Row numbers as a part of n rows. Throws UsageError where one is not.
std::vector<Index> rows_from(
    const py::array_t<Index, py::array::c_style | py::array::forcecast>& rows, Index n) {
  std::vector<Index> result(rows.data(), rows.data() + rows.size());
  const auto is_row = [n](Index row) { return row >= 0 && row < n; };
  if (!std::ranges::all_of(result, is_row)) {
    throw UsageError("a split has a row that is not among the " + std::to_string(n) + " rows of Y");
  }
  return result;
}

/// Calls fn(progress) without the interpreter's lock; Ctrl-C ends it.
template <class Function>
auto watched(const Function& fn) {
  Watch watch;
  return watch.run([&] { return fn(&watch); });
}

}  // namespace

void bind_splits(py::module_& module) {
  module.def(
      "stratified_k_fold",
      [](const py::object& y, Index folds, std::uint64_t seed) {
        const BinaryMatrix labels = labels_from(y).y;
        py::list result;
        for (const SplitRows& split : watched([&](Progress* progress) {
               return stratified_k_fold_rows(labels, folds, seed, progress);
             })) {
          result.append(to_python(split));
        }
        return result;
      },
      "y"_a, "folds"_a, "seed"_a);
  module.def("split_seed", &split_seed, "seed"_a, "number"_a);
  module.def(
      "stratified_split",
      [](const py::object& y, double train, std::uint64_t seed) {
        const BinaryMatrix labels = labels_from(y).y;
        return to_python(watched([&](Progress* progress) {
          return stratified_split_rows(labels, {.train = train, .seed = seed}, progress);
        }));
      },
      "y"_a, "train"_a, "seed"_a);
  module.def(
      "iterative_stratification",
      [](const py::object& y, const std::vector<double>& ratios, std::uint64_t seed) {
        const BinaryMatrix labels = labels_from(y).y;
        return to_python(watched([&](Progress* progress) {
          return iterative_stratification(labels, ratios, seed, progress);
        }));
      },
      "y"_a, "ratios"_a, "seed"_a);
  module.def(
      "split_quality",
      [](const py::object& y, const py::array_t<Index>& train, const py::array_t<Index>& test) {
        const BinaryMatrix labels = labels_from(y).y;
        const SplitRows split{.train = rows_from(train, labels.rows()),
                              .test = rows_from(test, labels.rows())};
        const SplitQuality quality = split_quality(labels, split);
        return py::make_tuple(quality.label_deviation, quality.labels_missing_in_train,
                              quality.labels_missing_in_test);
      },
      "y"_a, "train"_a, "test"_a);
}

}  // namespace mugrad::python
