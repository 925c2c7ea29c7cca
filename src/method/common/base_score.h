// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/logistic.h>
#include <mugrad/objective/loss.h>
#include <mugrad/objective/squared.h>

namespace mugrad {

/// The linear score that is best for a label without looking at features.
inline double base_score(LossKind loss, double positives, double examples) noexcept {
  return loss == LossKind::logistic ? LogisticLoss::log_odds(positives, examples)
                                    : SquaredLoss::base_rate(positives, examples);
}

}  // namespace mugrad
