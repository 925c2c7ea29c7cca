// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/theory/potential.h>

#include <vector>

namespace mugrad::theory {

double potential(TaskSet<double>& tasks, const TransferMatrix& transfer, double sigma,
                 Intercepts intercepts, const Matrix<double>& weights) {
  if (transfer.reversing_weights.empty()) {
    throw UsageError("the transfer is not reversible, so MGD descends no single function");
  }
  Matrix<double> gradient(weights.rows(), weights.cols());
  std::vector<double> values(static_cast<std::size_t>(weights.cols()));
  tasks.gradient({}, weights, gradient, {.values = values});

  const Index first = intercepts == Intercepts::own ? 1 : 0;
  double phi = 0;
  for (Index i = 0; i < weights.cols(); ++i) {
    const double r = transfer.reversing_weights[static_cast<std::size_t>(i)];
    phi += r * values[static_cast<std::size_t>(i)];
    const auto columns = transfer.mbar.row_columns(i);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double distance = 0;
      for (Index k = first; k < weights.rows(); ++k) {
        const double gap = weights(k, i) - weights(k, columns[j]);
        distance += gap * gap;
      }
      phi += sigma / 4 * r * transfer.mbar.row_values(i)[j] * distance;
    }
  }
  return phi;
}

}  // namespace mugrad::theory
