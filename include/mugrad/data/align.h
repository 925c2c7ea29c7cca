// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <functional>
#include <string>
#include <vector>

namespace mugrad {

/// The columns something was trained on, which data to predict must be brought into the form of.
struct ExpectedColumns {
  Index count = 0;
  std::vector<std::string> names = {};  ///< empty, or one per column
};

/// The features of `data` in the expected columns: matched by name where both sides have names,
/// else by position. Throws InputError listing the columns that are missing. Columns that are not
/// expected are passed over, and `note` (which may be empty) is told.
Features align_features(const Dataset& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note);
/// The same; what is in place already is not copied.
Features align_features(Dataset&& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note);

/// Labels in the expected columns.
struct AlignedLabels {
  BinaryMatrix y = {};
  BinaryMatrix unknown = {};  ///< as in Dataset
};

/// The labels of `data` in the expected columns, by the same rules; labels that are not expected
/// are an error, since nothing can be said about them.
AlignedLabels align_labels(const Dataset& data, const ExpectedColumns& expected);

}  // namespace mugrad
