// SPDX-License-Identifier: MIT
#include "method/label_squares.h"

#include "linalg/gram.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/similarity.h>

#include <fmt/format.h>

#include <cmath>

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

LabelSquares::LabelSquares(const Dataset& data, ScalingKind scaling, ThreadPool& pool)
    : trainable_(data),
      scaling_(fit_scaling(data.x, scaling)),
      design_(data.x, feature_transform(scaling_)) {
  if (is_empty()) return;
  gram_ = gram_sums(design_, pool);
  products_ = label_sums(design_, labels());
  for (Index k = 0; k < gram_.rows(); ++k) {
    if (std::isfinite(gram_(k, k))) continue;
    throw InputError(fmt::format("feature '{}' of {} has values too large to train on",
                                 name_or_number(data.feature_names, k - 1), data.name));
  }
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
  if (run.stop == Stop::interrupted) throw InterruptedError("training was interrupted");
}

void add_to_report(const ProximalReport& run, const TrainableLabels& trainable,
                   const std::vector<std::string>& label_names, TrainingReport& report) {
  report.solver = "proximal";
  report.constant_labels = trainable.constant();
  if (const auto warning = trainable.warning(label_names)) report.warnings.push_back(*warning);
  if (trainable.labels().cols == 0) return;
  report.stop = to_string(run.stop);
  report.passes = run.iterations;
  report.first_residual = run.first_residual;
  report.residual = run.residual;
  report.total_loss = run.objective;
  if (!run.is_unbounded) return;
  report.warnings.push_back(fmt::format(
      "the objective falls without bound, so that the weights are those of iteration {} and no "
      "minimum: the relation 1 - cosine between labels is not positive semi-definite",
      run.iterations));
}

}  // namespace mugrad
