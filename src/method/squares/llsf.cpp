// SPDX-License-Identifier: MIT
#include "method/squares/llsf.h"

#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"
#include "method/squares/squares_options.h"

#include <utility>

namespace mugrad {

void list_options(LlsfOptions& options, OptionList& list) {
  list_relation(options.relation, list);
  list_sparsity(options.sparsity, list);
  list_ridge(options.ridge, list);
  list_indefinite(options.indefinite, list);
  list_parity(options.parity, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_linear_threshold(options.threshold, list);
  list_objective_stopping(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
}

LlsfOptions with_parity(LlsfOptions options) {
  if (!options.parity) return options;
  options.indefinite = true;
  options.tolerance = kReleaseTolerance;
  options.max_iterations = kReleaseIterations;
  return options;
}

LlsfSolution solve_llsf(const LabelSquares& squares, const LlsfOptions& options, ThreadPool& pool,
                        Stages& stages) {
  CoupledSquares q({.gram = squares.gram(),
                    .products = squares.products(),
                    .constant = static_cast<double>(squares.labels().ones()) / 2,
                    .coupling = squares.coupling(options.relation, options.indefinite),
                    .coupled_rows = squares.gram().rows()},
                   pool);
  stages.check();
  LlsfSolution solution{
      .weights = ridge_regression(squares.gram(), squares.products(), options.ridge, pool)};
  Matrix<double>& weights = solution.weights;
  const Sparsity sparsity{.penalty =
                              std::vector<double>(as_size(weights.rows()), options.sparsity)};
  if (options.parity) {
    const Index blocks[] = {0, weights.rows()};
    solution.run = run_release(q, sparsity, blocks, release_curvature(q.parts()), weights, stages);
  } else {
    solution.run = minimise(
        q, sparsity, q.curvature(), weights,
        {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, &stages);
    throw_if_interrupted(solution.run);
  }
  return solution;
}

MemoryNeed memory_need(const DataShape& shape, const LlsfOptions&) {
  return label_squares_memory(shape) +
         coupled_squares_memory(shape.features + 1, shape.labels_that_occur(), true);
}

Model fit(const Dataset& data, const LlsfOptions& given, Progress* progress) {
  if (is_gaussian(given)) return fit_with_gaussian_features(data, given, progress);
  check_options(given);
  check_fully_labelled(data, "llsf");
  check_unweighted(data, "llsf");
  require_memory(memory_need(shape_of(data), given), training_on(data), kFewerSquares);
  const LlsfOptions options = with_parity(given);
  ThreadPool pool(options.threads);
  Stages stages(progress);
  const LabelSquares squares(
      data, checked_representation(data, options.representation, options.text_weight), pool,
      stages);
  LlsfSolution solution{.weights = Matrix<double>(data.features() + 1, 0)};
  if (!squares.is_empty()) solution = solve_llsf(squares, options, pool, stages);
  stages.advance(1);

  ModelContents contents =
      new_model(data, "llsf", options_text(options), squares.representation(), options.threshold);
  contents.head = IndependentHead{Link::identity};
  const TrainableLabels& trainable = squares.trainable();
  contents.weights = trainable.widened(solution.weights);
  contents.intercepts =
      trainable.intercepts<double>(std::as_const(solution.weights).row(0), LossKind::squared);
  add_to_report(solution.run,
                {.asked = {options.tolerance, options.max_iterations},
                 .indefinite_part = kIndefiniteRelation},
                trainable, data.label_names, contents.report);
  if (const auto warning = overruled_warning(given, options)) {
    contents.report.warnings.push_back(*warning);
  }
  return Model(std::move(contents));
}

const Method& llsf_method() {
  static const MethodOf<LlsfOptions> method(
      "llsf", "label-specific features: sparse least squares, similar weights for related labels",
      {.usual_search = {{.space = {{"relation", {"0.01", "0.1", "1"}},
                                   {"sparsity", {"0.01", "0.1", "1"}}}}},
       .report = kIterations});
  return method;
}

}  // namespace mugrad
