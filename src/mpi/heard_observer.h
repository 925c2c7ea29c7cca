// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/solver/solve.h>

namespace mugrad::mpi {

/// Keeps what an observer answered, for all ranks to hear of it before any of them acts on it. The
/// observer may be null.
class HeardObserver final : public Observer {
 public:
  explicit HeardObserver(Observer* observer) : observer_(observer) {}
  void begin(const Stopping& stopping) override {
    if (observer_ != nullptr) observer_->begin(stopping);
  }
  bool observe(const IterationState& state) override {
    if (observer_ != nullptr && !observer_->observe(state)) wants_end_ = true;
    return true;
  }
  /// Whether it asked to stop, ever.
  bool wants_end() const noexcept { return wants_end_; }

 private:
  Observer* observer_;
  bool wants_end_ = false;
};

/// Asks the observer of the first rank, and gives all of `rows` its answer.
class SharedObserver final : public Observer {
 public:
  /// `observer` counts on the first rank, and may be null. Both must outlive it.
  SharedObserver(const Communicator& rows, Observer* observer)
      : rows_(rows), observer_(rows.is_first() ? observer : nullptr) {}
  void begin(const Stopping& stopping) override {
    if (observer_ != nullptr) observer_->begin(stopping);
  }
  bool observe(const IterationState& state) override {
    int goes_on = observer_ == nullptr || observer_->observe(state) ? 1 : 0;
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, rows_.handle());
    return goes_on != 0;
  }

 private:
  const Communicator& rows_;
  Observer* observer_;
};

}  // namespace mugrad::mpi
