// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// LLSF-DL, label-specific features and class-dependent labels (Huang et al. 2016): LLSF whose
/// labels also see each other,
///   1/2 |A W + Y V - Y|^2 + alpha/2 tr(R W'W) + beta |W|_1 + gamma |V|_1.
/// Predictions start from those of LLSF; scores then follow three times over from the labels whose
/// last scores were at least 1/2, whatever the threshold.
struct LlsfDlOptions {
  double relation = 0.1;       ///< alpha: how much related labels are held alike; >= 0
  double sparsity = 0.1;       ///< beta: what weights of features cost; >= 0
  double label_sparsity = 16;  ///< gamma: what weights of labels cost; >= 0
  double ridge = 1;            ///< rho: L2 strength of the regressions it starts from; > 0
  /// No label is explained by itself. Otherwise V = I explains all, and predictions echo LLSF's.
  bool zero_diagonal = true;
  bool indefinite = false;  ///< as that of LlsfOptions
  /// The authors' program: their R, order of steps, and stop, after 100 iterations at the most, and
  /// labels that may be explained by themselves. Overrules `indefinite`, `zero_diagonal`,
  /// `tolerance` and `max_iterations`; a warning says where those were chosen.
  bool parity = false;
  ScalingKind scaling = ScalingKind::unit_row;
  double threshold = 0.5;       ///< a label is predicted at this score
  double tolerance = 1e-6;      ///< as that of LlsfOptions
  Index max_iterations = 2000;  ///< of each of the two stages
  Threads threads = {};         ///< never changes the model
};

/// As the `fit` of LLSF.
Model fit(const Dataset& data, const LlsfDlOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
