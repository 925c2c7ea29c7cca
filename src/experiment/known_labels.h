// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>

namespace mugrad {

/// Calls visit(label, is_true) for the labels of a row, but for the unknown ones. Requires: `truth`
/// and `unknown` ascend.
template <class Visit>
void for_each_known_label(std::size_t labels, std::span<const LabelId> truth,
                          std::span<const LabelId> unknown, const Visit& visit) {
  auto next_true = truth.begin();
  auto next_unknown = unknown.begin();
  for (std::size_t label = 0; label < labels; ++label) {
    const bool is_true = next_true != truth.end() && as_size(*next_true) == label;
    if (is_true) ++next_true;
    if (next_unknown != unknown.end() && as_size(*next_unknown) == label) {
      ++next_unknown;
    } else {
      visit(label, is_true);
    }
  }
}

}  // namespace mugrad
