// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>

namespace mugrad {

/// Maps the progress of stages to that of the whole work, which never decreases.
class Stages final : public Progress {
 public:
  /// What happens to iterates: they belong to a single run, so usually nobody else sees them.
  enum class Iterates { ignored, passed_on };

  /// `whole` may be null.
  explicit Stages(Progress* whole, Iterates iterates = Iterates::ignored)
      : whole_(whole), iterates_(iterates) {}

  /// Starts a stage, which covers [begin, end] of the whole work.
  void enter(double begin, double end) noexcept;
  /// Receives the share of this stage that is done.
  bool update(double share) override;
  void iterate(const Iterate& iterate) override {
    if (passes_on()) whole_->iterate(iterate);
  }
  bool wants_loss() const override { return passes_on() && whole_->wants_loss(); }
  /// The same, but throws InterruptedError.
  void advance(double share);
  /// Repeats the last share, to check for interruption. Throws InterruptedError.
  void check();

 private:
  bool report(double share);

  bool passes_on() const noexcept { return whole_ != nullptr && iterates_ == Iterates::passed_on; }

  Progress* whole_;
  Iterates iterates_;
  double begin_ = 0, end_ = 1;
  double reported_ = 0;  ///< last share of the whole
};

/// Requires: all > 0.
inline double share_of(Index done, Index all) noexcept {
  return static_cast<double>(done) / static_cast<double>(all);
}

/// Throws InterruptedError; all interrupted work ends here.
[[noreturn]] void throw_interrupted();

}  // namespace mugrad
