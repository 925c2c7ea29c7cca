// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>

namespace mugrad {

/// Maps the progress of stages to that of the whole work, which never falls.
class Stages final : public Progress {
 public:
  /// `whole` may be null.
  explicit Stages(Progress* whole) : whole_(whole) {}

  /// The next stage is from one share of the whole work to another.
  void enter(double begin, double end) noexcept;
  /// A share of this stage is done.
  bool update(double share) override;
  /// The same, but throws InterruptedError.
  void advance(double share);
  /// Asks whether to go on, with no more done. Throws InterruptedError.
  void check();

 private:
  bool tell(double share);

  Progress* whole_;
  double begin_ = 0, end_ = 1;
  double told_ = 0;  ///< of the whole
};

/// Requires: all > 0.
inline double share_of(Index done, Index all) noexcept {
  return static_cast<double>(done) / static_cast<double>(all);
}

/// Where all interrupted work ends.
[[noreturn]] void throw_interrupted();

}  // namespace mugrad
