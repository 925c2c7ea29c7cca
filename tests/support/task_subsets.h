// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>

namespace mugrad::testing {

/// Expects that calls for some of the tasks give what the calls for all give in their columns, to
/// within `tolerance`: for single tasks, for every third, and for all by name.
void expect_subsets_are_columns(TaskSet<double>& tasks, const Matrix<double>& weights,
                                const Matrix<double>& direction, double tolerance);

}  // namespace mugrad::testing
