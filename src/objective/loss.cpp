// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/objective/loss.h>

namespace mugrad {
namespace {

constexpr Name<LossKind> kLosses[] = {{LossKind::logistic, "logistic"},
                                      {LossKind::squared, "squared"}};

}  // namespace

std::string_view to_string(LossKind loss) { return name_of<LossKind>(kLosses, loss); }
LossKind loss_named(std::string_view name) { return named<LossKind>(kLosses, name, "loss"); }

}  // namespace mugrad
