// SPDX-License-Identifier: MIT
#include "mpi/row_summed_tasks.h"

#include "mpi/the_world.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;

/// The same tasks with all rows here, and with every rank having some.
struct Both {
  Both() : pool(Threads{1}) {
    data = testing::random_problem({.rows = 90, .features = 6, .labels = 4}, 3);
    transform = feature_transform(fit_representation(data.x, RepresentationKind::zscore));
    const LinearTaskOptions options{.rho = 0.1, .l1 = 0.01, .positive_weights = {1, 2, 3, 4}};
    whole = linear_tasks<double>(data.x, transform, data.y, options, pool);
    std::vector<Index> rows;
    for (Index row = all_ranks().rank(); row < data.rows(); row += all_ranks().size()) {
      rows.push_back(row);
    }
    part = select_rows(data, rows);
    auto shared = options;
    shared.examples.assign(4, static_cast<double>(data.rows()));
    summed = std::make_unique<RowSummedTasks<double>>(all_ranks(), part.x, transform, part.y,
                                                      shared, pool);
    weights = testing::random_weights(7, 4, 5);
  }

  ThreadPool pool;
  Dataset data, part;
  FeatureTransform transform;
  std::unique_ptr<LinearTaskSet<double>> whole;
  std::unique_ptr<RowSummedTasks<double>> summed;
  Matrix<double> weights;
};

void expect_near(const Matrix<double>& found, const Matrix<double>& expected) {
  for (Index k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(found.data()[k], expected.data()[k], 1e-12);
  }
}

TEST(RowSummedTasks, GradientsValuesAndCurvaturesAreThoseOfAllRows) {
  Both both;
  Matrix<double> expected(7, 4), found(7, 4);
  std::vector<double> values(4), curvatures(4), found_values(4), found_curvatures(4);
  both.whole->gradient({}, both.weights, expected,
                       {.values = values, .mean_curvatures = curvatures});
  both.summed->gradient({}, both.weights, found,
                        {.values = found_values, .mean_curvatures = found_curvatures});
  expect_near(found, expected);
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_NEAR(found_values[t], values[t], 1e-12);
    EXPECT_NEAR(found_curvatures[t], curvatures[t], 1e-12);
  }
}

TEST(RowSummedTasks, HessianProductsAreThoseOfAllRows) {
  Both both;
  const auto direction = testing::random_weights(7, 4, 9);
  Matrix<double> expected(7, 4), found(7, 4);
  both.whole->hessian_product({}, both.weights, direction, expected);
  both.summed->hessian_product({}, both.weights, direction, found);
  expect_near(found, expected);
}

TEST(RowSummedTasks, SharedCurvatureIsThatOfAllRows) {
  Both both;
  const auto& expected = *both.whole->shared_curvature();
  const auto& found = *both.summed->shared_curvature();
  ASSERT_EQ(found.eigenvalues.size(), expected.eigenvalues.size());
  for (std::size_t k = 0; k < expected.eigenvalues.size(); ++k) {
    EXPECT_NEAR(found.eigenvalues[k], expected.eigenvalues[k], 1e-9);
  }
  EXPECT_NEAR(found.rest, expected.rest, 1e-9);
  EXPECT_EQ(found.ridge, expected.ridge);
}

TEST(RowSummedTasks, CurvatureBoundsThatOfAllRows) {
  Both both;
  const auto of_all = both.whole->curvatures();
  const auto bounds = both.summed->curvatures();
  // The bound of all rows is itself one from above, by the width of its own search.
  for (std::size_t t = 0; t < of_all.size(); ++t) EXPECT_GE(bounds[t].most, 0.98 * of_all[t].most);
}

}  // namespace
}  // namespace mugrad::mpi
