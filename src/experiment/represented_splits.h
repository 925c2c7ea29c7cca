// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/gaussian_request.h"

#include <mugrad/core/progress.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/method.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace mugrad {

/// The inner splits of a search with Gaussian features, for all settings that ask for the same
/// ones. Representing rows costs more than training on them, so represented splits are kept from
/// stage to stage, as long as they are small. Several threads may use it.
class RepresentedSplits {
 public:
  /// A split, and settings for it, that give the scores of the original ones.
  struct Represented {
    std::shared_ptr<const Split> split;
    std::vector<OptionValues> settings;
  };
  /// The split with this number for a group of settings. Without a split if they do not all ask for
  /// the same Gaussian features, or if the represented test part would be large. Throws what
  /// training with these settings throws before it solves, and InterruptedError if `progress` asks
  /// to stop.
  Represented find(std::size_t number, const Split& split, const Method& method,
                   const std::vector<OptionValues>& settings, Threads threads, Progress* progress);

 private:
  /// A split that is represented by the first thread that asks for it.
  struct Entry {
    Entry(std::size_t number_of_split, const GaussianRequest& asked)
        : number(number_of_split), request(asked) {}

    const std::size_t number;
    const GaussianRequest request;
    std::mutex mutex = {};
    std::shared_ptr<const Split> split = {};  ///< null: not represented yet, or too large to keep
  };

  std::shared_ptr<Entry> entry_of(std::size_t number, const GaussianRequest& request);
  /// Whether so many more numbers may be kept; they then count.
  bool has_room_for(Index numbers);

  std::mutex mutex_;  ///< of the following
  std::vector<std::shared_ptr<Entry>> entries_;
  Index numbers_ = 0;  ///< that the entries store
};

}  // namespace mugrad
