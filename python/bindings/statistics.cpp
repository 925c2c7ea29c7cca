// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"

#include <mugrad/experiment/statistics.h>

#include <algorithm>

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
      "values"_a, "larger_is_better"_a);
  module.def(
      "friedman",
      [](const Values& values, bool larger_is_better) {
        const Friedman test = friedman(matrix_from(values), larger_is_better);
        return py::make_tuple(test.mean_ranks, test.chi_squared, test.p, test.f, test.f_p);
      },
      "values"_a, "larger_is_better"_a);
  module.def("nemenyi_critical_distance", &nemenyi_critical_distance, "methods"_a, "sets"_a,
             "alpha"_a);
  module.def("bonferroni_dunn_critical_distance", &bonferroni_dunn_critical_distance, "methods"_a,
             "sets"_a, "alpha"_a);
  module.def(
      "groups_alike",
      [](const std::vector<double>& mean_ranks, double distance) {
        return groups_alike(mean_ranks, distance);
      },
      "mean_ranks"_a, "distance"_a);
  module.def(
      "wilcoxon",
      [](const std::vector<double>& a, const std::vector<double>& b, bool larger_is_better) {
        const Wilcoxon test = wilcoxon_signed_rank(a, b, larger_is_better);
        return py::make_tuple(test.wins, test.losses, test.ties, test.statistic, test.p,
                              test.exact);
      },
      "a"_a, "b"_a, "larger_is_better"_a);
  module.def(
      "holm", [](const std::vector<double>& p) { return holm(p); }, "p"_a);
}

}  // namespace mugrad::python
