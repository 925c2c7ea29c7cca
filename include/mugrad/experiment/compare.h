// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/splits.h>
#include <mugrad/experiment/contender.h>
#include <mugrad/experiment/results.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mugrad {

/// How a comparison splits each data set into what is trained on and what is tested on.
struct OuterProtocol {
  Index repeats = 5;   ///< random splits, with the seeds seed, seed + 1, ...
  double train = 0.8;  ///< share of the rows that each trains on
  Index folds = 0;     ///< instead of random splits: so many folds, in every repeat
  bool stratified = false;
  std::uint64_t seed = 1;
};

/// In words: "5 random splits, 80 % to train on, seed 1".
std::string to_text(const OuterProtocol& protocol);

/// The splits of a data set, in order. Requires: the data outlive them.
PlannedSplits outer_splits(const Dataset& data, const OuterProtocol& protocol);

/// One contender on one split: hyper-parameters are chosen on the training part alone.
/// What a method throws, except when it was interrupted, is the record's failure. The record does
/// not say of which set and split it is.
Record run_once(const Split& split, const Contender& contender, Threads threads,
                Progress* progress = nullptr);

}  // namespace mugrad
