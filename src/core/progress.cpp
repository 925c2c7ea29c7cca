// SPDX-License-Identifier: MIT
#include "core/stages.h"

#include <mugrad/core/error.h>

#include <algorithm>

namespace mugrad {

void throw_interrupted() { throw InterruptedError("the work was interrupted"); }

void advance(Progress* progress, double share) {
  if (progress != nullptr && !progress->update(share)) throw_interrupted();
}

void Stages::enter(double begin, double end) noexcept {
  begin_ = begin;
  end_ = end;
}

bool Stages::report(double share) {
  reported_ = std::max(reported_, share);
  return whole_ == nullptr || whole_->update(reported_);
}

bool Stages::update(double share) {
  return report(begin_ + std::clamp(share, 0.0, 1.0) * (end_ - begin_));
}

void Stages::advance(double share) {
  if (!update(share)) throw_interrupted();
}

void Stages::check() {
  if (!report(reported_)) throw_interrupted();
}

}  // namespace mugrad
