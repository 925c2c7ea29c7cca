// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"

#include <mugrad/experiment/statistics.h>

#include <pybind11/stl.h>

#include <algorithm>

namespace py = pybind11;

namespace mugrad::python {
namespace {

using Values = py::array_t<double, py::array::c_style | py::array::forcecast>;

Matrix<double> matrix_from(const Values& values) {
  if (values.ndim() != 2) throw py::value_error("expected a matrix of sets x methods");
  Matrix<double> matrix(values.shape(0), values.shape(1));
  std::copy_n(values.data(), values.size(), matrix.data());
  return matrix;
}

}  // namespace

void bind_statistics(py::module_& module) {
  module.def(
      "ranks",
      [](const Values& values, bool larger_is_better) {
        return array_from(ranks(matrix_from(values), larger_is_better));
      },
      py::arg("values"), py::arg("larger_is_better"));
  module.def(
      "friedman",
      [](const Values& values, bool larger_is_better) {
        const Friedman test = friedman(matrix_from(values), larger_is_better);
        return py::make_tuple(test.mean_ranks, test.chi_squared, test.p, test.f, test.f_p);
      },
      py::arg("values"), py::arg("larger_is_better"));
  module.def("nemenyi_critical_distance", &nemenyi_critical_distance, py::arg("methods"),
             py::arg("sets"), py::arg("alpha"));
  module.def("bonferroni_dunn_critical_distance", &bonferroni_dunn_critical_distance,
             py::arg("methods"), py::arg("sets"), py::arg("alpha"));
  module.def(
      "groups_alike",
      [](const std::vector<double>& mean_ranks, double distance) {
        return groups_alike(mean_ranks, distance);
      },
      py::arg("mean_ranks"), py::arg("distance"));
  module.def(
      "wilcoxon",
      [](const std::vector<double>& a, const std::vector<double>& b, bool larger_is_better) {
        const Wilcoxon test = wilcoxon_signed_rank(a, b, larger_is_better);
        return py::make_tuple(test.wins, test.losses, test.ties, test.statistic, test.p,
                              test.exact);
      },
      py::arg("a"), py::arg("b"), py::arg("larger_is_better"));
  module.def(
      "holm", [](const std::vector<double>& p) { return holm(p); }, py::arg("p"));
}

}  // namespace mugrad::python
