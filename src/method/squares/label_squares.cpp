// SPDX-License-Identifier: MIT
#include "method/squares/label_squares.h"

#include "linalg/dense/gram.h"
#include "method/common/training_memory.h"

#include <mugrad/transfer/transfer_matrix.h>

#include <fmt/format.h>

namespace mugrad {
namespace {

Matrix<double> times(Matrix<double> matrix, double factor) {
  for (double& entry : matrix.values()) entry *= factor;
  return matrix;
}

}  // namespace

Matrix<double> gram_sums(const Design<double>& design, ThreadPool& pool,
                         std::span<const double> weights) {
  return times(gram_matrix(design, pool, weights), static_cast<double>(design.rows()));
}

Matrix<double> label_sums(const Design<double>& design, const BinaryMatrix& labels,
                          std::span<const double> weights) {
  return times(label_products(design, labels, weights), static_cast<double>(design.rows()));
}

MemoryNeed label_squares_memory(const DataShape& shape) {
  const DesignShape design = design_of(shape);
  const auto cols = static_cast<double>(design.cols);
  const auto tasks = static_cast<double>(shape.labels_that_occur());
  return statistics_memory(shape) +
         MemoryNeed("the features as stored for training", Design<double>::bytes(design)) +
         MemoryNeed("products of all pairs of features", cols * cols * sizeof(double)) +
         MemoryNeed("products of features and labels", cols * tasks * sizeof(double));
}

LabelSquares::LabelSquares(const Dataset& data, const Representation& representation,
                           ThreadPool& pool, Stages& stages)
    : trainable_(data),
      representation_(representation),
      design_(data.x, feature_transform(representation_)) {
  if (is_empty()) return;
  stages.check();
  gram_ = gram_sums(design_, pool);
  stages.check();
  products_ = label_sums(design_, labels());
}

Matrix<double> LabelSquares::coupling(double strength, bool indefinite) const {
  const auto cosines = label_similarity(labels(), Similarity::cosine);
  Matrix<double> result(cosines.cols, cosines.cols, indefinite ? strength : 0);
  for (Index i = 0; i < result.rows(); ++i) {
    const auto columns = cosines.row_columns(i);
    const auto values = cosines.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      result(i, columns[k]) -= strength * values[k];
      if (!indefinite) result(i, i) += strength * values[k];
    }
  }
  return result;
}

void throw_if_interrupted(const ProximalReport& run) {
  if (run.stop == Stop::interrupted) throw_interrupted();
}

namespace {

std::string unbounded_warning(Index kept, std::string_view indefinite_part) {
  const std::string whose =
      kept == 0 ? "of the initial ridge regression" : fmt::format("of iteration {}", kept);
  return fmt::format(
      "the objective is unbounded below, so the weights are those {} and not a minimum: {} not "
      "positive semi-definite",
      whose, indefinite_part);
}

}  // namespace

void add_to_report(const ProximalReport& run, const SquaresRun& of,
                   const TrainableLabels& trainable, const std::vector<std::string>& label_names,
                   TrainingReport& report) {
  report.constant_labels = trainable.constant();
  if (const auto warning = trainable.warning(label_names)) report.warnings.push_back(*warning);
  if (trainable.labels().cols == 0) return;
  report.solve = SolveFacts{.solver = std::string(of.solver),
                            .stop = std::string(to_string(run.stop)),
                            .effort = run.iterations,
                            .first_residual = run.first_residual,
                            .residual = run.residual,
                            .minimised = run.objective};
  warn_of_objective_limit(of.asked, report);
  if (!run.is_unbounded) return;
  report.warnings.push_back(unbounded_warning(run.kept, of.indefinite_part));
}

MemoryNeed coupled_squares_memory(Index rows, Index labels, bool with_inverse) {
  constexpr double kIterates =
      9;  // three with gradients, one extrapolated with its gradient, curvature
  const auto size = static_cast<double>(rows);
  const auto tasks = static_cast<double>(labels);
  const double iterates = kIterates * size * tasks * sizeof(double);
  const double inverse = with_inverse ? size * size * sizeof(double) : 0;
  return MemoryNeed("a copy of the products of features",
                    (size * size + size * tasks + tasks * tasks) * sizeof(double)) +
         MemoryNeed("the weights", size * tasks * sizeof(double)) +
         larger(MemoryNeed("an inverse", inverse), MemoryNeed("iterates", iterates));
}

}  // namespace mugrad
