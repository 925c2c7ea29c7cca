// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/core/types.h>

#include <atomic>
#include <mutex>

namespace mugrad {

/// The progress of several runs on several threads as one: it tells the whole what share of all
/// pieces is done, and stops the runs when the whole asks to stop.
class SharedProgress final : public Progress {
 public:
  /// `whole` may be null.
  SharedProgress(Progress* whole, Index pieces) : whole_(whole), pieces_(pieces) {}

  /// One more piece is done.
  void add_done() {
    ++done_;
    update(0);
  }

  /// For any run: what it has done of its piece is not counted.
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
