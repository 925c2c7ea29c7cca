// SPDX-License-Identifier: MIT
#include "linalg/dense/blas.h"
#include "method/multitask/relation_step.h"
#include "method/multitask/task_decorators.h"

#include <mugrad/core/error.h>
#include <mugrad/method/task_relations.h>

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

/// The objects that are related, and how the weights depend on the relation.
class Alternation {
 public:
  Alternation(TaskSet<double>& tasks, double lambda, const RelationOptions& options)
      : tasks_(tasks),
        lambda_(lambda),
        options_(options.solve),
        free_rows_(options.solve.intercepts == Intercepts::own ? 1 : 0) {}
  virtual ~Alternation() = default;
  /// The number of related objects.
  virtual Index size() const = 0;
  /// The penalty is (lambda/2) tr(gram(W) R^-1).
  virtual Matrix<double> gram(const Matrix<double>& weights) const = 0;
  /// Minimises over W for this relation.
  virtual MultiTaskReport solve(const RelationMatrix& relation, Matrix<double>& weights) = 0;

 protected:
  TaskSet<double>& tasks_;
  double lambda_;
  const MultiTaskOptions& options_;
  Index free_rows_;  ///< the first rows of W, which are not related
};

class BetweenTasks final : public Alternation {
 public:
  using Alternation::Alternation;

  Index size() const override { return tasks_.tasks(); }
  Matrix<double> gram(const Matrix<double>& weights) const override {
    const Index t = weights.cols();
    const double* first = weights.data() + free_rows_ * t;
    Matrix<double> gram(t, t);
    blas::multiply<double>(t, t, weights.rows() - free_rows_, {first, t, true}, {first, t}, 0,
                           gram.data(), t);
    return gram;
  }
  MultiTaskReport solve(const RelationMatrix& relation, Matrix<double>& weights) override {
    return solve_multi_task(tasks_, relation.inverse, lambda_, weights, options_);
  }
};

class BetweenFeatures final : public Alternation {
 public:
  using Alternation::Alternation;

  Index size() const override { return tasks_.parameters() - free_rows_; }
  Matrix<double> gram(const Matrix<double>& weights) const override {
    const Index t = weights.cols();
    const double* first = weights.data() + free_rows_ * t;
    Matrix<double> gram(size(), size());
    blas::multiply<double>(size(), size(), t, {first, t}, {first, t, true}, 0, gram.data(), size());
    return gram;
  }
  MultiTaskReport solve(const RelationMatrix& relation, Matrix<double>& weights) override {
    FeaturePenaltyTasks penalised(tasks_, relation.inverse, relation.inverse_bounds, lambda_,
                                  free_rows_);
    const Matrix<double> uncoupled(tasks_.tasks(), tasks_.tasks());
    return solve_multi_task(penalised, uncoupled, 0, weights, options_);
  }
};

void check_options(double lambda, Index related, const RelationOptions& options) {
  if (!(lambda >= 0 && std::isfinite(lambda))) {
    throw UsageError(fmt::format("lambda must be >= 0, got {}", lambda));
  }
  if (related < 1) throw UsageError("there is nothing to relate: W has no penalised row");
  const double largest = 1 / static_cast<double>(related);
  if (!(options.least_eigenvalue > 0 && options.least_eigenvalue <= largest)) {
    throw UsageError(
        fmt::format("the least eigenvalue of {} relations of trace 1 must be > 0 and <= {}, got {}",
                    related, largest, options.least_eigenvalue));
  }
  if (!(options.tolerance >= 0)) {
    throw UsageError(fmt::format("the tolerance must be >= 0, got {}", options.tolerance));
  }
  if (options.max_rounds < 0) {
    throw UsageError(fmt::format("the limit of rounds must be >= 0, got {}", options.max_rounds));
  }
}

void check_shape(const TaskSet<double>& tasks, const Matrix<double>& weights) {
  if (weights.rows() != tasks.parameters() || weights.cols() != tasks.tasks()) {
    throw UsageError(fmt::format("the weights are {} x {}, expected {} parameters x {} tasks",
                                 weights.rows(), weights.cols(), tasks.parameters(),
                                 tasks.tasks()));
  }
}

/// sum_i f_i(w_i).
double total_loss(TaskSet<double>& tasks, const Matrix<double>& weights) {
  Matrix<double> gradient(weights.rows(), weights.cols());
  std::vector<double> values(as_size(weights.cols()));
  tasks.gradient({}, weights, gradient, {.values = values});
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Alternates between W and the relation. Both steps minimise the same objective, so it cannot
/// increase; a round that no longer decreases it is discarded.
LearnedRelation alternate(TaskSet<double>& tasks, Alternation& alternation, double lambda,
                          Matrix<double>& weights, const RelationOptions& options) {
  check_shape(tasks, weights);
  check_options(lambda, alternation.size(), options);
  LearnedRelation learned;
  const auto objective_of = [&](const Matrix<double>& w, const RelationMatrix& relation) {
    ++learned.passes;
    return total_loss(tasks, w) + lambda / 2 * penalty_of(alternation.gram(w), relation.inverse);
  };
  // Zero weights have the relation I / n: all equal and uncorrelated.
  auto relation = best_relation(alternation.gram(weights), options.least_eigenvalue);
  learned.objective.push_back(objective_of(weights, relation));
  for (Index round = 0; round < options.max_rounds; ++round) {
    auto next_weights = weights;
    const auto solved = alternation.solve(relation, next_weights);
    learned.passes += solved.passes;
    if (solved.stop == Stop::diverged) {
      learned.stop = solved.stop;
      break;
    }
    auto next = best_relation(alternation.gram(next_weights), options.least_eigenvalue);
    const double before = learned.objective.back();
    const double after = objective_of(next_weights, next);
    if (after <= before) {
      weights = std::move(next_weights);
      relation = std::move(next);
      learned.solved = solved;
      learned.objective.push_back(after);
    }
    if (!(before - after > options.tolerance * std::fabs(before))) {
      learned.stop = solved.stop;  // converged, if the weights have
      break;
    }
  }
  learned.relation = std::move(relation.matrix);
  return learned;
}

}  // namespace

LearnedRelation learn_task_covariance(TaskSet<double>& tasks, double lambda,
                                      Matrix<double>& weights, const RelationOptions& options) {
  BetweenTasks alternation(tasks, lambda, options);
  return alternate(tasks, alternation, lambda, weights, options);
}

LearnedRelation learn_feature_relations(TaskSet<double>& tasks, double lambda,
                                        Matrix<double>& weights, const RelationOptions& options) {
  BetweenFeatures alternation(tasks, lambda, options);
  return alternate(tasks, alternation, lambda, weights, options);
}

}  // namespace mugrad
