// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/multi_task.h>

#include <vector>

namespace mugrad {

struct RelationOptions {
  MultiTaskOptions solve = {};  ///< for the weights of each round
  /// Lower bound on the eigenvalues of the relation, whose trace is 1; > 0. Without it the relation
  /// of low-rank weights is singular.
  double least_eigenvalue = 1e-4;
  /// Stop when a round reduces the objective by at most this, relative to its value. Alternation is
  /// slow to remove relations that are barely worth their penalty.
  double tolerance = 1e-5;
  Index max_rounds = 1000;
};

/// A relation learned together with the weights. The objective includes the penalty of the current
/// relation and never increases.
struct LearnedRelation {
  Matrix<double> relation = {};        ///< symmetric, trace 1
  std::vector<double> objective = {};  ///< before the first round and after each
  Stop stop = Stop::iteration_limit;
  Index passes = 0;             ///< gradients of all tasks
  MultiTaskReport solved = {};  ///< report of the last round
};

/// Multi-task relationship learning (Zhang and Yeung 2010): minimises sum_i f_i(w_i) + (lambda/2)
/// tr(W Sigma^-1 W') over W and the covariance Sigma of the tasks, tr(Sigma) = 1. It alternates
/// between W, by solve_multi_task with S = Sigma^-1, and Sigma = (W'W)^(1/2) / tr((W'W)^(1/2)).
/// `weights` is the start and then the result. Throws as solve_multi_task, and UsageError for
/// options out of range.
LearnedRelation learn_task_covariance(TaskSet<double>& tasks, double lambda,
                                      Matrix<double>& weights, const RelationOptions& options = {});

/// Relations between features, equation (14): minimises sum_i f_i(w_i) + (lambda/2) sum_i w_i'
/// Theta^-1 w_i over W and Theta, tr(Theta) = 1. It alternates between the tasks, each alone, and
/// Theta = (W W')^(1/2) / tr((W W')^(1/2)) (Argyriou and others 2008). With Intercepts::own, row 0
/// of W is not penalised and Theta has one row fewer than W.
LearnedRelation learn_feature_relations(TaskSet<double>& tasks, double lambda,
                                        Matrix<double>& weights,
                                        const RelationOptions& options = {});

}  // namespace mugrad
