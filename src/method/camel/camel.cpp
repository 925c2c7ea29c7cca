// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/gaussian_kernel.h"
#include "linalg/scaled_rows.h"
#include "method/camel/collaborative_fit.h"
#include "method/camel/label_lasso.h"
#include "method/common/common_options.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/trainable_labels.h"
#include "method/common/training_memory.h"

#include <mugrad/method/camel.h>

namespace mugrad {
namespace {

/// G = (1 - a) I + a S. A single label has no others to follow from.
Matrix<double> collaboration_of(const BinaryMatrix& labels, double share, Stages& stages,
                                ThreadPool& pool) {
  if (labels.cols == 1) return {1, 1, 1.0};
  auto collaboration = label_correlations(labels, stages, pool);
  for (double& entry : collaboration.values()) entry *= share;
  for (Index t = 0; t < labels.cols; ++t) collaboration(t, t) += 1 - share;
  return collaboration;
}

/// Transposes the rows, in the precision of the model.
Matrix<float> columns_of(const Matrix<double>& rows) {
  Matrix<float> columns(rows.cols(), rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.cols(); ++k) columns(k, i) = static_cast<float>(rows(i, k));
  }
  return columns;
}

/// The head of all labels from the fit of the trainable ones.
KernelHead head_of(const Dataset& data, const TrainableLabels& trainable,
                   const CollaborativeFit& fit, double width, std::vector<double> lengths) {
  KernelHead head{.width = width,
                  .squared_length = std::move(lengths),
                  .coefficients = Matrix<double>(data.rows(), data.labels()),
                  .offset = std::vector<double>(as_size(data.labels()), -1)};
  const auto counts = column_counts(data.y);
  for (const LabelId label : trainable.constant()) {
    const auto at = as_size(label);
    if (counts[at] > 0) head.offset[at] = 1;
  }
  for (std::size_t t = 0; t < trainable.original().size(); ++t) {
    const LabelId label = trainable.original()[t];
    for (Index i = 0; i < data.rows(); ++i) {
      head.coefficients(i, label) = fit.coefficients(i, as_index(t));
    }
    head.offset[as_size(label)] = fit.offset[t];
  }
  return head;
}

void add_report(const TrainableLabels& trainable, const CollaborativeFit& fit,
                const std::vector<std::string>& names, TrainingReport& report) {
  report.constant_labels = trainable.constant();
  if (const auto warning = trainable.warning(names, "score -1 or 1"))
    report.warnings.push_back(*warning);
  if (trainable.labels().cols == 0) return;
  const Stop stop = fit.solve.converged ? Stop::converged : Stop::iteration_limit;
  report.solve = SolveFacts{.solver = "conjugate-gradients",
                            .stop = std::string(to_string(stop)),
                            .effort = fit.solve.iterations,
                            .first_residual = fit.solve.first_residual,
                            .residual = fit.solve.residual,
                            .minimised = fit.objective};
  if (fit.solve.converged) return;
  report.warnings.push_back(
      fmt::format("the residual fell to {:.2g} of its first value in {} iterations and no further",
                  fit.solve.residual / fit.solve.first_residual, fit.solve.iterations));
}

}  // namespace

void list_options(CamelOptions& options, OptionList& list) {
  list.number("collaboration", options.collaboration,
              "Share of a label's score that comes from other labels",
              {.at_least = 0, .at_most = 1});
  list.number("lambda1", options.lambda1, "Strength of the fit to labels",
              {.at_most = 1e8, .above = 0});
  list.number("lambda2", options.lambda2, "L2 strength of the kernel machine",
              {.at_most = 1e8, .above = 0});
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_linear_threshold(options.threshold, list);
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const CamelOptions&) {
  constexpr double kSolving = 5;  // targets, solutions, and three matrices of conjugate gradients
  constexpr double kRelating = 2 + kEigenMatrices;  // matrices of labels x labels
  const auto n = static_cast<double>(shape.rows);
  const auto p = static_cast<double>(shape.features);
  const auto tasks = static_cast<double>(shape.labels_that_occur());
  const double model =
      n * (tasks + static_cast<double>(shape.labels)) * sizeof(double) + n * p * sizeof(float);
  return statistics_memory(shape) +
         MemoryNeed("the features as a dense matrix", n * p * sizeof(double)) +
         MemoryNeed("the kernel of all pairs of examples", n * n * sizeof(double)) +
         MemoryNeed("the relations of labels", kRelating * tasks * tasks * sizeof(double)) +
         larger(MemoryNeed("solving", kSolving * n * tasks * sizeof(double)),
                MemoryNeed("the model", model));
}

Model fit(const Dataset& data, const CamelOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_fully_labelled(data, "camel");
  check_unweighted(data, "camel");
  require_memory(memory_need(shape_of(data), options), training_on(data),
                 "fewer examples, or a method without a kernel,");
  Stages stages(progress);
  ThreadPool pool(options.threads);
  const TrainableLabels trainable(data);
  auto contents = new_model(
      data, "camel", options_text(options),
      checked_representation(data, options.representation, options.text_weight), options.threshold);
  const auto rows = dense_rows(data.x, feature_transform(contents.representation));
  auto lengths = squared_lengths(rows);
  stages.enter(0, 0.1);
  const auto collaboration =
      collaboration_of(trainable.labels(), options.collaboration, stages, pool);
  stages.advance(1);
  stages.enter(0.1, 0.3);
  const auto kernel = gaussian_kernel(rows, pool, &stages);
  stages.advance(1);
  stages.enter(0.3, 1);
  const auto fit = solve_collaboratively({.kernel = kernel.values,
                                          .labels = trainable.labels(),
                                          .collaboration = collaboration,
                                          .lambda1 = options.lambda1,
                                          .lambda2 = options.lambda2},
                                         stages, pool);
  stages.advance(1);
  contents.head = head_of(data, trainable, fit, kernel.width, std::move(lengths));
  contents.weights = columns_of(rows);
  contents.intercepts.assign(as_size(data.rows()), 0);
  add_report(trainable, fit, data.label_names, contents.report);
  return Model(std::move(contents));
}

const Method& camel_method() {
  static const MethodOf<CamelOptions> method(
      "camel", "kernel machine whose outputs are mixed by how labels follow from each other",
      {.usual_search = {{.space = {{"collaboration", {"0", "0.25", "0.5"}},
                                   {"lambda2", {"0.03", "0.1", "0.3"}}}}},
       .report = kIterations});
  return method;
}

}  // namespace mugrad
