// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/solver/solve.h>

#include <atomic>
#include <mutex>

namespace mugrad {

/// Lets runs on several threads be watched as parts of one work: tells an observer what share of
/// all pieces is done, and tells the runs to stop when it says so.
class SharedObserver final : public Observer {
 public:
  /// `whole` may be null.
  SharedObserver(Observer* whole, Index pieces) : whole_(whole), pieces_(pieces) {}

  /// One more piece is done.
  void add_done() {
    ++done_;
    tell();
  }

  bool observe(const IterationState&) override { return tell(); }
  bool observe_within(double) override { return tell(); }
  bool observe_share(double) override { return tell(); }

 private:
  bool tell() {
    if (whole_ == nullptr) return true;
    if (is_stopped_) return false;
    const std::lock_guard lock(mutex_);
    const double share = static_cast<double>(done_) / static_cast<double>(pieces_);
    if (!whole_->observe_share(share)) is_stopped_ = true;
    return !is_stopped_;
  }

  Observer* whole_;
  Index pieces_;
  std::atomic<Index> done_ = 0;
  std::atomic<bool> is_stopped_ = false;
  std::mutex mutex_;
};

}  // namespace mugrad
