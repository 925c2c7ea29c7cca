// SPDX-License-Identifier: MIT
#pragma once

#include "method/chains/bag.h"

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>

#include <span>
#include <vector>

namespace mugrad {

/// What chains on the same data have in common; all must outlive their use.
struct ChainSetting {
  const Dataset& data;
  const Scaling& scaling;  ///< of the features of all examples
  double rho = 0;
  Stopping stopping;
  ThreadPool& pool;
};

/// A chain as ChainHead has it. Weights are for scaled features; labels before are 0 and 1.
template <class Real>
struct TrainedChain {
  Matrix<Real> weights;                 ///< a row per feature, a column per label
  std::vector<double> intercepts = {};  ///< of each label
  Matrix<double> history = {};  ///< row i, column j: what label i gains when j was predicted
  SolveReport solve = {};
  double total_loss = 0;  ///< sum_i f_i of the labels that have both classes
};

/// Trains a chain over all labels in the order given. All labels are solved at once: in training
/// the labels before are known, so that they are features, which a label may use if they come
/// before it. Real is float or double.
template <class Real>
TrainedChain<Real> train_chain(const ChainSetting& setting, const Bag& bag,
                               std::span<const LabelId> order, Progress* progress);

}  // namespace mugrad
