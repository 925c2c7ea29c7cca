// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// JFSC, joint feature selection and classification (Huang et al. 2018). Experimental: a
/// reconstruction, because no program of the authors is known. It minimises
///   sum_j |a_j W - y_j| + l1/2 tr(R W'W) + l2/2 sum_t w_t' S_t w_t + l3 |W|_1,
/// with rows a_j and R as in LLSF. Examples count by the distance of the fit, not its square. The
/// diagonal matrix S_t penalises features whose variance within the classes of a label exceeds that
/// between them.
struct JfscOptions {
  double relation = 0.1;  ///< l1: how similar the weights of related labels are; >= 0
  double fisher = 0.01;   ///< l2: strength of S; >= 0
  double sparsity = 0.1;  ///< l3: L1 strength; >= 0
  double ridge = 1;       ///< L2 strength of the initial regression; > 0
  /// Distances below this count by their square, which makes the objective smooth there; > 0.
  double smoothing = 0.1;
  /// Uses R = 1 - C as in LLSF, and S with its negative entries for features that separate the
  /// classes: the objective is then unbounded below.
  bool indefinite = false;
  RepresentationKind representation = RepresentationKind::unit_row;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  /// Stop when new weights of the examples reduce the objective by at most this share of it.
  double tolerance = 1e-5;
  Index max_iterations = 2000;
  std::uint64_t seed = 1;  ///< of the centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// As the `fit` of LLSF.
Model fit(const Dataset& data, const JfscOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
