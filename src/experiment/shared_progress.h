// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/core/types.h>

#include <atomic>
#include <mutex>

namespace mugrad {

/// Combines the progress of several runs on several threads: reports the share of all pieces that
/// is done, and stops the runs when the whole asks to stop.
class SharedProgress final : public Progress {
 public:
  /// `whole` may be null.
  SharedProgress(Progress* whole, Index pieces) : whole_(whole), pieces_(pieces) {}

  /// Counts more finished pieces.
  void add_done(Index pieces) {
    done_ += pieces;
    update(0);
  }

  /// For any run; progress within its piece is not counted.
  bool update(double /*share*/) override {
    if (whole_ == nullptr) return true;
    if (is_stopped_) return false;
    const std::lock_guard lock(mutex_);
    const double share = static_cast<double>(done_) / static_cast<double>(pieces_);
    if (!whole_->update(share)) is_stopped_ = true;
    return !is_stopped_;
  }

 private:
  Progress* whole_;
  Index pieces_;
  std::atomic<Index> done_ = 0;
  std::atomic<bool> is_stopped_ = false;
  std::mutex mutex_;
};

}  // namespace mugrad
