// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <map>
#include <string>
#include <vector>

namespace mugrad {

/// The bytes of a model file around its weights, and around relations that are many, for writers
/// who do not have these in one place.
struct ModelFrame {
  struct Piece {
    Index begin;  ///< in the file
    std::string bytes;
  };
  std::vector<Piece> pieces;
  std::map<std::string, Index> begins;  ///< of the tensors that are left out, by their names
};

/// The weights, which the contents need not have, are `features` rows of a number per intercept.
/// Relations are left out, too, when the contents have their row starts alone.
/// Throws InputError, naming `name`, when the header would be too long.
ModelFrame frame_of(const ModelContents& contents, bool is_double, Index features,
                    const std::string& name);

}  // namespace mugrad
