// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

namespace mugrad {

/// Throws InputError unless the curvature fits a model with these contents: it needs one linear
/// score per label, and its numbers are finite and not negative where they count or curve.
void check_curvature(const ModelContents& contents);

}  // namespace mugrad
