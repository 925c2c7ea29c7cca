// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"
#include "method/squares/llsf.h"
#include "method/squares/squares_options.h"

#include <mugrad/method/llsf_dl.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

LlsfOptions llsf_options(const LlsfDlOptions& options) {
  return {.relation = options.relation,
          .sparsity = options.sparsity,
          .ridge = options.ridge,
          .indefinite = options.indefinite,
          .parity = options.parity,
          .representation = options.representation,
          .text_weight = options.text_weight,
          .threshold = options.threshold,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .threads = options.threads};
}

LlsfDlOptions with_parity(LlsfDlOptions options) {
  if (!options.parity) return options;
  options.indefinite = true;
  options.zero_diagonal = false;
  options.tolerance = kReleaseTolerance;
  options.max_iterations = kReleaseIterations;
  return options;
}

/// Y'Y.
Matrix<double> common_examples(const BinaryMatrix& labels) {
  Matrix<double> counts(labels.cols, labels.cols);
  for (Index row = 0; row < labels.rows(); ++row) {
    for (const LabelId i : labels.row(row)) {
      for (const LabelId j : labels.row(row)) ++counts(i, j);
    }
  }
  return counts;
}

/// One matrix above the other.
Matrix<double> stacked(const Matrix<double>& above, const Matrix<double>& below) {
  Matrix<double> result(above.rows() + below.rows(), above.cols());
  std::ranges::copy(below.values(), std::ranges::copy(above.values(), result.values().begin()).out);
  return result;
}

/// [A Y]'[A Y] from A'A, A'Y and Y'Y.
Matrix<double> joint_gram(const Matrix<double>& gram, const Matrix<double>& products,
                          const Matrix<double>& common) {
  const Index features = gram.rows();
  Matrix<double> joint(features + common.rows(), features + common.rows());
  for (Index k = 0; k < features; ++k) {
    const auto to = joint.row(k);
    std::ranges::copy(products.row(k), std::ranges::copy(gram.row(k), to.begin()).out);
  }
  for (Index i = 0; i < common.rows(); ++i) {
    const auto to = joint.row(features + i);
    for (Index k = 0; k < features; ++k) to[as_size(k)] = products(k, i);
    std::ranges::copy(common.row(i), to.begin() + features);
  }
  return joint;
}

struct Solution {
  Matrix<double> guess;        ///< LLSF's weights
  Matrix<double> joined = {};  ///< the weights of the features, and below them those of the labels
  ProximalReport run = {};
};

/// sqrt(3 |A'A|^2 + 3 |alpha R|^2 + 3 |A'Y|^2 + 2 |Y'Y|^2)
double release_bound(const LabelSquares& squares, const Matrix<double>& common,
                     const Matrix<double>& coupling) {
  const double gram = spectral_norm_bound(squares.gram());
  const double relation = spectral_norm_bound(coupling);
  const double products = spectral_norm_bound(squares.products());
  const double labels = spectral_norm_bound(common);
  return std::sqrt(3 * (gram * gram + relation * relation + products * products) +
                   2 * labels * labels);
}

/// The weights of features start from LLSF's, those of labels from zero.
void minimise_jointly(CoupledSquares& q, const Sparsity& sparsity, const LlsfDlOptions& options,
                      Stages& stages, Solution& solution) {
  const Matrix<double> none(solution.guess.cols(), solution.guess.cols());
  solution.joined = stacked(solution.guess, none);
  solution.run =
      minimise(q, sparsity, q.curvature(), solution.joined,
               {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, &stages);
  throw_if_interrupted(solution.run);
}

/// Both start from ridge regressions.
void release_jointly(CoupledSquares& q, const Sparsity& sparsity, const LabelSquares& squares,
                     const Matrix<double>& common, double ridge, ThreadPool& pool, Stages& stages,
                     Solution& solution) {
  solution.joined = stacked(ridge_regression(squares.gram(), squares.products(), ridge, pool),
                            ridge_regression(common, common, ridge, pool));
  const Index blocks[] = {0, squares.gram().rows(), solution.joined.rows()};
  solution.run =
      run_release(q, sparsity, blocks, release_bound(squares, common, q.parts().coupling),
                  solution.joined, stages);
}

/// Adds the first stage to the report of the second. Under parity the second starts anew.
void add_first_stage(const ProximalReport& first, bool parity, ProximalReport& run) {
  run.stop = worse(first.stop, run.stop);
  run.is_unbounded |= first.is_unbounded;
  run.iterations += first.iterations;
  if (!parity) run.kept += first.kept;
}

Solution solve(const LabelSquares& squares, const LlsfDlOptions& options, ThreadPool& pool,
               Stages& stages) {
  stages.enter(0, 0.5);
  LlsfSolution llsf = solve_llsf(squares, llsf_options(options), pool, stages);
  stages.enter(0.5, 1);
  Solution solution{.guess = std::move(llsf.weights)};
  stages.check();
  const Matrix<double> common = common_examples(squares.labels());
  const auto features = as_size(squares.gram().rows());
  CoupledSquares q({.gram = joint_gram(squares.gram(), squares.products(), common),
                    .products = stacked(squares.products(), common),
                    .constant = static_cast<double>(squares.labels().ones()) / 2,
                    .coupling = squares.coupling(options.relation, options.indefinite),
                    .coupled_rows = squares.gram().rows()},
                   pool);
  Sparsity sparsity{.penalty = std::vector<double>(features, options.sparsity)};
  sparsity.penalty.resize(as_size(q.parts().gram.rows()), options.label_sparsity);
  if (options.zero_diagonal) sparsity.zero_diagonal = squares.gram().rows();
  if (options.parity) {
    release_jointly(q, sparsity, squares, common, options.ridge, pool, stages, solution);
  } else {
    minimise_jointly(q, sparsity, options, stages, solution);
  }
  add_first_stage(llsf.run, options.parity, solution.run);
  return solution;
}

/// Rows [begin, end) of a matrix.
Matrix<double> rows_of(const Matrix<double>& matrix, Index begin, Index end) {
  Matrix<double> result(end - begin, matrix.cols());
  std::copy_n(matrix.data() + begin * matrix.cols(), result.size(), result.data());
  return result;
}

/// One matrix beside the other.
Matrix<double> side_by_side(const Matrix<double>& left, const Matrix<double>& right) {
  Matrix<double> result(left.rows(), left.cols() + right.cols());
  for (Index k = 0; k < left.rows(); ++k) {
    std::ranges::copy(right.row(k), std::ranges::copy(left.row(k), result.row(k).begin()).out);
  }
  return result;
}

}  // namespace

void list_options(LlsfDlOptions& options, OptionList& list) {
  list_relation(options.relation, list);
  list_sparsity(options.sparsity, list);
  list.number("label-sparsity", options.label_sparsity,
              "L1 strength of the weights of labels for each other", {.at_least = 0});
  list_ridge(options.ridge, list);
  list.flag("zero-diagonal", options.zero_diagonal, "No label is explained by itself");
  list_indefinite(options.indefinite, list);
  list_parity(options.parity, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_linear_threshold(options.threshold, list);
  list_objective_stopping(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const LlsfDlOptions&) {
  const Index tasks = shape.labels_that_occur();
  const auto cols = static_cast<double>(shape.features + 1);
  const auto labels = static_cast<double>(tasks);
  // LLSF first; then its weights are kept, and labels become features.
  return label_squares_memory(shape) +
         larger(coupled_squares_memory(shape.features + 1, tasks, true),
                MemoryNeed("the first stage's weights", (cols + labels) * labels * sizeof(double)) +
                    coupled_squares_memory(shape.features + 1 + tasks, tasks, false));
}

Model fit(const Dataset& data, const LlsfDlOptions& given, Progress* progress) {
  if (is_gaussian(given)) return fit_with_gaussian_features(data, given, progress);
  check_options(given);
  check_fully_labelled(data, "llsf-dl");
  check_unweighted(data, "llsf-dl");
  require_memory(memory_need(shape_of(data), given), training_on(data), kFewerSquares);
  const LlsfDlOptions options = with_parity(given);
  ThreadPool pool(options.threads);
  Stages stages(progress);
  const LabelSquares squares(
      data, checked_representation(data, options.representation, options.text_weight), pool,
      stages);
  const Index rows = data.features() + 1;
  Solution solution{.guess = Matrix<double>(rows, 0), .joined = Matrix<double>(rows, 0)};
  if (!squares.is_empty()) solution = solve(squares, options, pool, stages);
  stages.advance(1);

  ModelContents contents = new_model(data, "llsf-dl", options_text(options),
                                     squares.representation(), options.threshold);
  const TrainableLabels& trainable = squares.trainable();
  const Matrix<double> own = rows_of(solution.joined, 0, rows);
  contents.head = FeedbackHead{.label_weights = trainable.widened_square(
                                   rows_of(solution.joined, rows, solution.joined.rows()))};
  contents.weights = side_by_side(trainable.widened(solution.guess), trainable.widened(own));
  const auto add_intercepts = [&](const Matrix<double>& part) {
    const auto added = trainable.intercepts<double>(part.row(0), LossKind::squared);
    contents.intercepts.insert(contents.intercepts.end(), added.begin(), added.end());
  };
  add_intercepts(solution.guess);
  add_intercepts(own);
  add_to_report(solution.run,
                {.asked = {options.tolerance, options.max_iterations},
                 .indefinite_part = kIndefiniteRelation},
                trainable, data.label_names, contents.report);
  if (const auto warning = overruled_warning(given, options)) {
    contents.report.warnings.push_back(*warning);
  }
  return Model(std::move(contents));
}

const Method& llsf_dl_method() {
  static const MethodOf<LlsfDlOptions> method(
      "llsf-dl", "LLSF with labels as additional features",
      {.usual_search = {{.space = {{"relation", {"0.01", "1"}},
                                   {"sparsity", {"0.01", "0.1", "1"}},
                                   {"label-sparsity", {"1", "16"}}}}},
       .report = kIterations});
  return method;
}

}  // namespace mugrad
