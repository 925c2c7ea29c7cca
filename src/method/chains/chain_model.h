// SPDX-License-Identifier: MIT
#pragma once

#include "method/chains/bag.h"

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/head.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace mugrad {

/// How chains are trained that make up a model.
struct ChainOptions {
  Index members = 1;
  double share = 1;  ///< of the examples that a member sees, about
  double rho = 0;    ///< per example; without meaning under Weka's ridge
  bool weka_ridge = false;
  Vote vote = Vote::probability;
  bool random_order = false;
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;
  Stopping stopping = {};
  std::uint64_t seed = 1;  ///< of random orders
  Precision precision = Precision::single_precision;
  Threads threads = {};
};

/// The examples of a member.
using BagOfMember = std::function<Bag(Index member)>;

/// The model of an ensemble of chains, or of one chain, as `method` with its options as text.
/// Requires: options in range, bags that are not empty.
Model fit_chains(const Dataset& data, std::string_view method, const OptionValues& text,
                 const ChainOptions& options, const BagOfMember& bag_of, Progress* progress);

/// The memory that takes besides the data, when it takes most.
MemoryNeed chains_memory(const DataShape& shape, const ChainOptions& options);

}  // namespace mugrad
