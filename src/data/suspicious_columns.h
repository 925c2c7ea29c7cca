// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <string>
#include <vector>

namespace mugrad {

/// Warnings, one sentence each, about columns of training data that may give labels away: a number
/// that ascends through a file sorted by a label, and a column that separates a label nearly
/// perfectly while no other column comes close. Terms of texts are not looked at, and labels only
/// if they have enough positives and negatives. Looks at no more than some thousand rows, spread
/// over the data.
std::vector<std::string> suspicious_columns(const Dataset& data);

}  // namespace mugrad
