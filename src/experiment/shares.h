// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

namespace mugrad {

/// Watches what is one part of a larger work, from one share of it to another.
class PartOfShares final : public Observer {
 public:
  /// `whole` may be null.
  PartOfShares(Observer* whole, double begin, double end)
      : whole_(whole), begin_(begin), end_(end) {}

  bool observe(const IterationState&) override { return observe_share(last_); }
  bool observe_within(double) override { return observe_share(last_); }
  bool observe_share(double share) override {
    last_ = share;
    return whole_ == nullptr || whole_->observe_share(begin_ + share * (end_ - begin_));
  }

 private:
  Observer* whole_;
  double begin_, end_;
  double last_ = 0;
};

}  // namespace mugrad
