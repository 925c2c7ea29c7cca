// SPDX-License-Identifier: MIT
#include "data/term_blocks.h"

#include <fmt/format.h>

namespace mugrad {

std::optional<std::string> misplaced_text(std::span<const TermBlock> texts, Index features) {
  Index end = 0;
  for (const TermBlock& text : texts) {
    if (text.first < end || text.count <= 0 || text.count > features - text.first) {
      return fmt::format(
          "do not follow each other within its {} features: one has {} terms from feature {}",
          features, text.count, text.first);
    }
    end = text.first + text.count;
  }
  return std::nullopt;
}

}  // namespace mugrad
