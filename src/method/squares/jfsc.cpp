// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"
#include "method/squares/label_squares.h"
#include "method/squares/squares_options.h"
#include "objective/coupled_squares.h"
#include "objective/jfsc_terms.h"
#include "solver/monitor.h"

#include <mugrad/method/jfsc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mugrad {
namespace {

/// Steps between updates of the example weights.
constexpr Index kStepsPerRound = 20;

/// Minimises the objective by half-quadratic rounds: at weights W the distance r_j of example j is
/// at most (d_j r_j^2 + 1/d_j) / 2, d_j = 1 / max(r_j, smoothing), with equality at W. Whatever
/// reduces this bound reduces the objective.
class JfscRun {
 public:
  JfscRun(const LabelSquares& squares, const JfscOptions& options, ThreadPool& pool)
      : squares_(squares),
        options_(options),
        pool_(pool),
        coupling_(squares.coupling(options.relation, options.indefinite)),
        fisher_(fisher_penalty(squares.design(), squares.labels())),
        sparsity_{.penalty = std::vector<double>(as_size(squares.gram().rows()), options.sparsity)},
        weights_(ridge_regression(squares.gram(), squares.products(), options.ridge, pool)) {
    for (double& entry : fisher_.values()) {
      entry *= options.fisher;
      if (!options.indefinite) entry = std::max(0.0, entry);
    }
  }

  ProximalReport solve(Stages& stages) {
    ProximalReport report;
    double last = std::numeric_limits<double>::infinity();
    while (true) {
      CoupledSquares bound = bound_at_weights();
      measure(bound, report);
      const double fallen = (last - report.objective) / std::fabs(report.objective);
      if (!std::isfinite(last)) report.first_residual = report.residual;
      if (!stages.update(share_done(
              {.iteration = report.iterations, .residual = fallen, .first_residual = 1},
              {.tolerance = options_.tolerance, .max_iterations = options_.max_iterations}))) {
        report.stop = Stop::interrupted;
        return report;
      }
      report.stop = fallen <= options_.tolerance ? Stop::converged : Stop::iteration_limit;
      if (report.stop == Stop::converged || report.iterations >= options_.max_iterations) {
        return report;
      }
      last = report.objective;
      if (!lessen(bound, stages, report)) return report;
    }
  }

  const Matrix<double>& weights() const noexcept { return weights_; }

 private:
  CoupledSquares bound_at_weights() const {
    const auto lengths = residual_lengths(squares_.design(), weights_, squares_.labels(), pool_);
    std::vector<double> example_weights;
    double constant = 0;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
      const double length = std::max(lengths[j], options_.smoothing);
      example_weights.push_back(1 / length);
      const auto positives = std::ssize(squares_.labels().row(as_index(j)));
      constant += (static_cast<double>(positives) / length + length) / 2;
    }
    return CoupledSquares(
        {.gram = gram_sums(squares_.design(), pool_, example_weights),
         .products = label_sums(squares_.design(), squares_.labels(), example_weights),
         .constant = constant,
         .coupling = coupling_,
         .coupled_rows = squares_.gram().rows(),
         .diagonal = fisher_},
        pool_);
  }

  /// The objective and its gradient, which equal those of the bound.
  void measure(CoupledSquares& bound, ProximalReport& report) const {
    Matrix<double> gradient(weights_.rows(), weights_.cols());
    report.objective = bound.evaluate(weights_, gradient) + sparsity_.cost(weights_);
    report.residual = sparsity_.violation(weights_, gradient);
  }

  /// Whether the objective could be reduced.
  bool lessen(CoupledSquares& bound, Stages& stages, ProximalReport& report) {
    // Progress within a round is not counted; it can only be stopped.
    ProgressFunction interruption([&](double) { return stages.update(0); });
    const ProximalReport round = minimise(
        bound, sparsity_, bound.curvature(), weights_,
        {.tolerance = options_.tolerance / 10,
         .max_iterations = std::min(kStepsPerRound, options_.max_iterations - report.iterations)},
        &interruption);
    report.kept = report.iterations + round.kept;
    report.iterations += round.iterations;
    report.is_unbounded = round.is_unbounded;
    if (round.stop != Stop::diverged && round.stop != Stop::interrupted) return true;
    report.stop = round.stop;
    return false;
  }

  const LabelSquares& squares_;
  const JfscOptions& options_;
  ThreadPool& pool_;
  Matrix<double> coupling_, fisher_;
  Sparsity sparsity_;
  Matrix<double> weights_;
};

std::string_view indefinite_part(const JfscOptions& options) {
  if (options.fisher == 0) return kIndefiniteRelation;
  if (options.relation == 0) return "the scatter of features within and between classes is";
  return "the relation 1 - cosine between labels and the scatter of features are";
}

}  // namespace

void list_options(JfscOptions& options, OptionList& list) {
  list_relation(options.relation, list);
  list.number("fisher", options.fisher,
              "Penalty on features that vary within the classes of a label", {.at_least = 0});
  list_sparsity(options.sparsity, list);
  list_ridge(options.ridge, list);
  list.number("smoothing", options.smoothing, "Distances below this count by their square",
              {.above = 0});
  list_indefinite(options.indefinite, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_linear_threshold(options.threshold, list);
  list_objective_stopping(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const JfscOptions&) {
  const Index tasks = shape.labels_that_occur();
  const double entries = static_cast<double>(shape.features + 1) * static_cast<double>(tasks);
  const auto labels = static_cast<double>(tasks);
  // The scatter of features within classes, here and in the bound of each round; its gradient.
  return label_squares_memory(shape) +
         MemoryNeed("the scatter of features", (3 * entries + labels * labels) * sizeof(double)) +
         coupled_squares_memory(shape.features + 1, tasks, false);
}

Model fit(const Dataset& data, const JfscOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_fully_labelled(data, "jfsc");
  check_unweighted(data, "jfsc");
  require_memory(memory_need(shape_of(data), options), training_on(data), kFewerSquares);
  ThreadPool pool(options.threads);
  Stages stages(progress);
  const LabelSquares squares(
      data, checked_representation(data, options.representation, options.text_weight), pool,
      stages);
  Matrix<double> weights(data.features() + 1, 0);
  ProximalReport report;
  if (!squares.is_empty()) {
    stages.check();
    JfscRun run(squares, options, pool);
    report = run.solve(stages);
    throw_if_interrupted(report);
    weights = run.weights();
  }
  stages.advance(1);
  ModelContents contents =
      new_model(data, "jfsc", options_text(options), squares.representation(), options.threshold);
  contents.head = IndependentHead{Link::identity};
  const TrainableLabels& trainable = squares.trainable();
  contents.weights = trainable.widened(weights);
  contents.intercepts =
      trainable.intercepts<double>(std::as_const(weights).row(0), LossKind::squared);
  add_to_report(report,
                {.asked = {options.tolerance, options.max_iterations},
                 .indefinite_part = indefinite_part(options),
                 .solver = "half-quadratic"},
                trainable, data.label_names, contents.report);
  return Model(std::move(contents));
}

const Method& jfsc_method() {
  static const MethodOf<JfscOptions> method(
      "jfsc", "joint feature selection and classification: sparse and robust, experimental",
      {.usual_search = {{.space = {{"sparsity", {"0.01", "0.1", "1"}}}}}, .report = kIterations});
  return method;
}

}  // namespace mugrad
