// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/head.h>

namespace mugrad {

/// Throws InputError where a head does not fit a model of so many columns and labels: sizes,
/// indices out of range, numbers that are not finite.
void check_head(const Head& head, Index columns, Index labels);

}  // namespace mugrad
