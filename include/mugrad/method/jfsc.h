// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// JFSC, joint feature selection and classification (Huang et al. 2018), experimental: a
/// reconstruction, since no program of the authors is known.
///   sum_j |a_j W - y_j| + l1/2 tr(R W'W) + l2/2 sum_t w_t' S_t w_t + l3 |W|_1,
/// rows a_j and R as those of LLSF. Examples that do not fit count by their distance, not its
/// square. S_t, diagonal, makes features costly that scatter within the classes of a label more
/// than they tell these apart.
struct JfscOptions {
  double relation = 0.1;  ///< l1: how much related labels are held alike; >= 0
  double fisher = 0.01;   ///< l2: the part of S; >= 0
  double sparsity = 0.1;  ///< l3: what weights cost; >= 0
  double ridge = 1;       ///< L2 strength of the regression it starts from; > 0
  /// Distances below this count by their square, which makes the objective smooth there; > 0.
  double smoothing = 0.1;
  /// R = 1 - C as in LLSF, and S with the negative entries it has for features that tell classes
  /// apart: the objective then falls without bound.
  bool indefinite = false;
  ScalingKind scaling = ScalingKind::unit_row;
  double threshold = 0.5;  ///< a label is predicted at this score
  /// Stop when new weights of the examples lessen the objective by no more than this share of it.
  double tolerance = 1e-5;
  Index max_iterations = 2000;
  Threads threads = {};  ///< never changes the model
};

/// As the `fit` of LLSF.
Model fit(const Dataset& data, const JfscOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
