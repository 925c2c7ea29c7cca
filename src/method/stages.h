// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

namespace mugrad {

/// Tells an observer how much of a method's work is done, stage by stage. As an observer itself it
/// watches the run of a solver that is one stage of it.
class Stages final : public Observer {
 public:
  /// `whole` may be null.
  explicit Stages(Observer* whole) : whole_(whole) {}

  /// The next stage is from one share of the whole work to another.
  void enter(double begin, double end) noexcept;
  /// A share of this stage is done. Throws InterruptedError when the observer says so.
  void advance(double share) const;

  void begin(const Stopping& stopping) override { stopping_ = stopping; }
  bool observe(const IterationState& state) override;

 private:
  bool tell(double share) const;

  Observer* whole_;
  double begin_ = 0, end_ = 1;
  Stopping stopping_;
};

/// Throws InterruptedError or DivergenceError when a run ended so.
void throw_unless_usable(const SolveReport& report);

}  // namespace mugrad
