// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <map>
#include <string>
#include <vector>

namespace mugrad {

/// The bytes of a model file around its weights, and around large relations, for writers that do
/// not have these in one place.
struct ModelFrame {
  struct Piece {
    Index begin;  ///< in the file
    std::string bytes;
  };
  std::vector<Piece> pieces;
  std::map<std::string, Index> begins;  ///< of the omitted tensors, by name
};

/// The weights, which the contents need not have, are `features` rows of one number per intercept.
/// Relations are also omitted if the contents have only their row starts. Throws InputError, naming
/// `name`, if the header would be too long.
ModelFrame frame_of(const ModelContents& contents, bool is_double, Index features,
                    const std::string& name);

}  // namespace mugrad
