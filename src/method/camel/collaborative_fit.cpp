// SPDX-License-Identifier: MIT
#include "method/camel/collaborative_fit.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

constexpr double kTolerance = 1e-10;
constexpr Index kMostIterations = 10000;
/// Directions of G shorter than this, relative to the longest, count as zero.
constexpr double kSingular = 1e-12;

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> result(a.rows(), b.cols());
  if (result.size() == 0) return result;
  blas::multiply<double>(a.rows(), b.cols(), a.cols(), {a.data(), a.cols()}, {b.data(), b.cols()},
                         0, result.data(), result.cols());
  return result;
}

Matrix<double> transposed(const Matrix<double>& a) {
  Matrix<double> result(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
  }
  return result;
}

/// Y v, where Y are the labels as -1 and +1.
Matrix<double> signed_product(const BinaryMatrix& labels, const Matrix<double>& v) {
  std::vector<double> none(as_size(v.cols()), 0);
  for (Index t = 0; t < v.rows(); ++t) {
    for (std::size_t j = 0; j < none.size(); ++j) none[j] -= v(t, as_index(j));
  }
  Matrix<double> result(labels.rows(), v.cols());
  for (Index i = 0; i < labels.rows(); ++i) {
    const auto to = result.row(i);
    std::ranges::copy(none, to.begin());
    for (const LabelId label : labels.row(i)) {
      const auto from = v.row(label);
      for (std::size_t j = 0; j < none.size(); ++j) to[j] += 2 * from[j];
    }
  }
  return result;
}

/// The directions q_j, one per row, and g_j, their squared lengths.
struct Directions {
  Matrix<double> rows;
  std::vector<double> squared_length = {};
  double least = 0;  ///< squared lengths up to this count as zero
};

Directions directions_of(const Matrix<double>& collaboration) {
  const auto eigen = symmetric_eigen(product(collaboration, transposed(collaboration)));
  Directions directions{.rows = product(eigen.vectors, collaboration)};
  for (Index j = 0; j < directions.rows.rows(); ++j) {
    const auto q = directions.rows.row(j);
    directions.squared_length.push_back(std::inner_product(q.begin(), q.end(), q.begin(), 0.0));
    directions.least = std::max(directions.least, kSingular * directions.squared_length.back());
  }
  return directions;
}

/// The mean of each column.
std::vector<double> means_of(const Matrix<double>& matrix) {
  std::vector<double> means(as_size(matrix.cols()), 0);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const auto row = matrix.row(i);
    for (std::size_t j = 0; j < means.size(); ++j) means[j] += row[j];
  }
  for (double& mean : means) mean /= static_cast<double>(matrix.rows());
  return means;
}

/// The offsets with which the scores of the examples have the means of the labels, as far as G can
/// reach them.
std::vector<double> offsets(const CollaborativeProblem& problem, const Directions& directions,
                            const Matrix<double>& targets, const Matrix<double>& coefficients) {
  std::vector<double> offset(as_size(coefficients.cols()), 0);
  const auto means = means_of(targets);
  for (std::size_t j = 0; j < means.size(); ++j) {
    const double length = directions.squared_length[j];
    if (length <= directions.least) continue;
    const auto q = directions.rows.row(as_index(j));
    for (std::size_t t = 0; t < offset.size(); ++t) offset[t] += means[j] / length * q[t];
  }
  const auto likeness = means_of(problem.kernel);
  for (Index i = 0; i < coefficients.rows(); ++i) {
    const auto from = coefficients.row(i);
    for (std::size_t t = 0; t < offset.size(); ++t) {
      offset[t] -= likeness[as_size(i)] * from[t];
    }
  }
  return offset;
}

/// At the minimiser: sum_j a_j'Y q_j / (2 g_j), plus the part of Y that no Z G can reach.
double objective_of(const CollaborativeProblem& problem, const Directions& directions,
                    const Matrix<double>& targets, const Matrix<double>& solutions) {
  double objective = 0;
  double unreached = static_cast<double>(targets.size());  // |Y|^2
  bool reaches_all = true;
  for (Index j = 0; j < targets.cols(); ++j) {
    const double length = directions.squared_length[as_size(j)];
    reaches_all = reaches_all && length > directions.least;
    if (length <= directions.least) continue;
    double along = 0, squares = 0;
    for (Index i = 0; i < targets.rows(); ++i) {
      along += targets(i, j) * solutions(i, j);
      squares += targets(i, j) * targets(i, j);
    }
    objective += problem.lambda2 * along / (2 * length);
    unreached -= squares / length;
  }
  return objective + (reaches_all ? 0 : problem.lambda1 / 2 * std::max(0.0, unreached));
}

}  // namespace

CollaborativeFit solve_collaboratively(const CollaborativeProblem& problem, Stages& stages,
                                       ThreadPool& pool) {
  const auto directions = directions_of(problem.collaboration);
  const auto targets = signed_product(problem.labels, transposed(directions.rows));
  std::vector<double> factor, shift;
  for (const double length : directions.squared_length) {
    factor.push_back(problem.lambda1 * length);
    shift.push_back(problem.lambda2 * (1 + problem.lambda1 * length));
  }
  auto solutions = targets;  // then lambda1 P Y q, then a / lambda2
  for (double& entry : solutions.values()) entry *= problem.lambda1;
  CollaborativeFit fit;
  fit.solve = solve_centred({problem.kernel, factor, shift}, kTolerance, kMostIterations, solutions,
                            pool, [&](double share) {
                              const double fallen = -std::log(std::max(share, kTolerance));
                              stages.advance(fallen / -std::log(kTolerance));
                            });
  fit.coefficients = product(solutions, directions.rows);
  fit.offset = offsets(problem, directions, targets, fit.coefficients);
  fit.objective = objective_of(problem, directions, targets, solutions);
  return fit;
}

}  // namespace mugrad
