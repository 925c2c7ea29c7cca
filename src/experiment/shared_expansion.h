// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <optional>

namespace mugrad {

/// A test part for several models, one after the other. Expanding rows by Gaussian features costs
/// more than scoring them, so the expanded rows are kept as long as models have the same features.
class SharedExpansion {
 public:
  /// `test` must outlive it.
  SharedExpansion(const Dataset& test, Threads threads) : test_(test), threads_(threads) {}

  /// A model and rows that give the same scores.
  struct Pair {
    Model model;
    const Dataset& test;  ///< valid until the next call
  };
  /// None if the model has no Gaussian features, or if the expanded rows would be large. Throws
  /// InterruptedError if `progress` asks to stop.
  std::optional<Pair> expanded(const Model& model, Progress* progress);

 private:
  const Dataset& test_;
  Threads threads_;
  Representation representation_;  ///< of the expanded rows
  Dataset expanded_;
};

}  // namespace mugrad
