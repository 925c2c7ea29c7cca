// SPDX-License-Identifier: MIT
#pragma once

#include "method/chains/bag.h"

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>

#include <span>
#include <vector>

namespace mugrad {

/// The common part of chains on the same data; all must outlive its use.
struct ChainSetting {
  const Dataset& data;
  const Representation& representation;  ///< of the features of all examples
  double rho = 0;
  Stopping stopping;
  ThreadPool& pool;
};

/// A chain in the form of ChainHead. Weights are for scaled features; earlier labels are 0 and 1.
template <class Real>
struct TrainedChain {
  Matrix<Real> weights;                 ///< one row per feature, one column per label
  std::vector<double> intercepts = {};  ///< of each label
  Matrix<double> history = {};          ///< row i, column j: added to label i if j is predicted
  SolveReport solve = {};
  double total_loss = 0;  ///< sum_i f_i over the labels with both classes
};

/// Trains a chain over all labels in the given order. All labels are solved at once: in training
/// the earlier labels are known, so they are features that only later labels may use. Real is float
/// or double.
template <class Real>
TrainedChain<Real> train_chain(const ChainSetting& setting, const Bag& bag,
                               std::span<const LabelId> order, Progress* progress);

}  // namespace mugrad
