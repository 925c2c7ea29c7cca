// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/multi_task.h>

#include <vector>

namespace mugrad {

struct RelationOptions {
  MultiTaskOptions solve = {};  ///< of each round's weights
  /// No eigenvalue of the relation is smaller, of a trace of 1; > 0. Without it the relation of
  /// weights of low rank has no inverse.
  double least_eigenvalue = 1e-4;
  /// Settled when a round lowers the objective by at most this, relative to its value. Turns are
  /// slow to fade out relations that are barely worth their penalty.
  double tolerance = 1e-5;
  Index max_rounds = 1000;
};

/// A relation learned with the weights. The objective counts the relation's penalty as it stands
/// after each round, and never rises.
struct LearnedRelation {
  Matrix<double> relation = {};        ///< symmetric, trace 1
  std::vector<double> objective = {};  ///< before the first round and after each
  Stop stop = Stop::iteration_limit;
  Index passes = 0;             ///< gradients of all tasks
  MultiTaskReport solved = {};  ///< of the last round
};

/// Multi-task relationship learning (Zhang and Yeung 2010): minimises
/// sum_i f_i(w_i) + (lambda/2) tr(W Sigma^-1 W') over W and the covariance Sigma of the tasks,
/// tr(Sigma) = 1, by turns: W by solve_multi_task with S = Sigma^-1, then
/// Sigma = (W'W)^(1/2) / tr((W'W)^(1/2)).
/// `weights` holds the start and then the result. Throws as solve_multi_task does, and UsageError
/// for options out of range.
LearnedRelation learn_task_covariance(TaskSet<double>& tasks, double lambda,
                                      Matrix<double>& weights, const RelationOptions& options = {});

/// Relations between features, equation (14): minimises
/// sum_i f_i(w_i) + (lambda/2) sum_i w_i' Theta^-1 w_i over W and Theta, tr(Theta) = 1, by turns:
/// each task alone, then Theta = (W W')^(1/2) / tr((W W')^(1/2)) (Argyriou and others 2008). With
/// Intercepts::own, row 0 of W is not penalised and Theta has a row fewer than W.
LearnedRelation learn_feature_relations(TaskSet<double>& tasks, double lambda,
                                        Matrix<double>& weights,
                                        const RelationOptions& options = {});

}  // namespace mugrad
