// SPDX-License-Identifier: MIT
#include "data/text/text_blocks.h"

namespace mugrad {

std::vector<TextBlock> text_blocks(std::span<const std::string_view> texts) {
  constexpr double kBytes = 65536;
  constexpr Index kTexts = 1024;
  std::vector<TextBlock> blocks;
  double bytes = 0;
  double bytes_of_block = 0;
  for (Index i = 0; i < std::ssize(texts); ++i) {
    const Index begin = blocks.empty() ? 0 : blocks.back().end;
    const auto size = static_cast<double>(texts[as_size(i)].size());
    bytes += size;
    bytes_of_block += size;
    const bool is_last = i + 1 == std::ssize(texts);
    if (!is_last && bytes_of_block < kBytes && i + 1 - begin < kTexts) continue;
    blocks.push_back({begin, i + 1, bytes});
    bytes_of_block = 0;
  }
  return blocks;
}

}  // namespace mugrad
