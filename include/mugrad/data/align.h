// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <functional>
#include <string>
#include <vector>

namespace mugrad {

/// The columns of the training data, which data for prediction must match.
struct ExpectedColumns {
  Index count = 0;
  std::vector<std::string> names = {};  ///< empty, or one per column
};

/// The features of `data` in the expected columns, matched by name if both sides have names,
/// otherwise by position. Throws InputError listing the missing columns. Unexpected columns are
/// ignored and reported to `note`, which may be empty.
Features align_features(const Dataset& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note);
/// The same; features that already match are not copied.
Features align_features(Dataset&& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note);

/// Labels in the expected columns.
struct AlignedLabels {
  BinaryMatrix y = {};
  BinaryMatrix unknown = {};  ///< as in Dataset
};

/// The labels of `data` in the expected columns, by the same rules. Unexpected labels are an error,
/// because the model has no scores for them.
AlignedLabels align_labels(const Dataset& data, const ExpectedColumns& expected);

}  // namespace mugrad
