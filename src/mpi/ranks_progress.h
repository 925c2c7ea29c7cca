// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/core/progress.h>

namespace mugrad::mpi {

/// Records the answer of a progress, so that all ranks learn it before any of them stops.
class HeardProgress final : public Progress {
 public:
  /// `progress` may be null.
  explicit HeardProgress(Progress* progress) : progress_(progress) {}
  void iterate(const Iterate& iterate) override {
    if (progress_ != nullptr) progress_->iterate(iterate);
  }
  bool update(double share) override {
    if (progress_ != nullptr && !progress_->update(share)) wants_end_ = true;
    return true;
  }
  /// Whether it ever asked to stop.
  bool wants_end() const noexcept { return wants_end_; }

 private:
  Progress* progress_;
  bool wants_end_ = false;
};

/// Calls the progress of the first rank and broadcasts its answer to all of `rows`. All of them
/// must call `update` equally often.
class FirstRanksProgress final : public Progress {
 public:
  /// `progress` is used on the first rank, and may be null. Both must outlive it.
  FirstRanksProgress(const Communicator& rows, Progress* progress)
      : rows_(rows), progress_(rows.is_first() ? progress : nullptr) {}
  void iterate(const Iterate& iterate) override {
    if (progress_ != nullptr) progress_->iterate(iterate);
  }
  bool update(double share) override {
    int goes_on = progress_ == nullptr || progress_->update(share) ? 1 : 0;
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, rows_.handle());
    return goes_on != 0;
  }

 private:
  const Communicator& rows_;
  Progress* progress_;
};

}  // namespace mugrad::mpi
