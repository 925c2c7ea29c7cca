// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <string>

namespace mugrad {

/// The bytes of a model file around its weights, for writers who do not have these in one place.
struct ModelFrame {
  std::string before, after;
};

/// The weights, which the contents need not have, are `features` rows of a number per intercept.
/// Throws InputError, naming `name`, when the header would be too long.
ModelFrame frame_of(const ModelContents& contents, bool is_double, Index features,
                    const std::string& name);

}  // namespace mugrad
