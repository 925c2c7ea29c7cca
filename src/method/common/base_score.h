// SPDX-License-Identifier: MIT
#pragma once

#include "objective/logistic.h"
#include "objective/squared.h"

#include <mugrad/objective/linear_tasks.h>

namespace mugrad {

/// The best linear score of a label without using features.
inline double base_score(LossKind loss, double positives, double examples) noexcept {
  return loss == LossKind::logistic ? LogisticLoss::log_odds(positives, examples)
                                    : SquaredLoss::base_rate(positives, examples);
}

}  // namespace mugrad
