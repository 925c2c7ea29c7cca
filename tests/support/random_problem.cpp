// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

namespace mugrad::testing {

Dataset random_problem(const ProblemShape& shape, std::uint64_t seed) {
  RandomStream random(seed, "random-problem");
  Matrix<double> x(shape.rows, shape.features);
  for (double& entry : x.values()) {
    entry = random.uniform() < shape.feature_probability ? random.normal() + 0.3 : 0;
  }
  Dataset data{.name = "random", .x = std::move(x)};
  data.y.cols = shape.labels;
  for (Index row = 0; row < shape.rows; ++row) {
    for (LabelId label = 0; label < shape.labels; ++label) {
      // The first two rows make sure of both classes.
      const bool drawn = random.uniform() < shape.label_probability;
      if (row == 0 || (row > 1 && drawn)) data.y.column.push_back(label);
    }
    data.y.end_row();
  }
  return data;
}

Features as_sparse(const Features& dense) {
  CsrMatrix<double> sparse;
  sparse.cols = dense.cols();
  for (Index row = 0; row < dense.rows(); ++row) {
    dense.for_each_in_row(row, [&](FeatureId column, double value) {
      if (value == 0) return;
      sparse.column.push_back(column);
      sparse.value.push_back(value);
    });
    sparse.end_row();
  }
  return sparse;
}

Matrix<double> random_weights(Index rows, Index cols, std::uint64_t seed, double deviation) {
  RandomStream random(seed, "random-weights");
  Matrix<double> weights(rows, cols);
  for (double& weight : weights.values()) weight = deviation * random.normal();
  return weights;
}

}  // namespace mugrad::testing
