// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

namespace mugrad {

/// Tells an observer how much of a method's work is done, stage by stage; what it tells never
/// falls. As an observer itself it watches the run of a solver that is one stage of it.
class Stages final : public Observer {
 public:
  /// `whole` may be null.
  explicit Stages(Observer* whole) : whole_(whole) {}

  /// The next stage is from one share of the whole work to another.
  void enter(double begin, double end) noexcept;
  /// A share of this stage is done. Returns false when the observer says that it is to stop.
  bool tell(double share);
  /// The same, but throws InterruptedError.
  void advance(double share);
  /// Nothing more is done, but somebody may want to stop. Throws InterruptedError.
  void check();

  void begin(const Stopping& stopping) override { stopping_ = stopping; }
  bool observe(const IterationState& state) override;
  bool observe_within(double share) override;

 private:
  bool tell_whole(double share);

  Observer* whole_;
  double begin_ = 0, end_ = 1;
  double told_ = 0;  ///< of the whole
  Stopping stopping_;
};

/// Watches a run that is only a part of what a stage measures: it can be stopped, and no more.
class Interruption final : public Observer {
 public:
  explicit Interruption(Stages& stages) : stages_(stages) {}
  bool observe(const IterationState&) override { return stages_.observe_within(0); }
  bool observe_within(double share) override { return stages_.observe_within(share); }

 private:
  Stages& stages_;
};

/// Where every interrupted training ends.
[[noreturn]] void throw_interrupted();
/// Throws InterruptedError or DivergenceError when a run ended so.
void throw_unless_usable(const SolveReport& report);

}  // namespace mugrad
