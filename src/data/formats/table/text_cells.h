// SPDX-License-Identifier: MIT
#pragma once

#include "core/growing_memory.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// The texts of a column, row by row. Those that are part of a longer text, such as a mapped file,
/// are not copied.
class TextCells {
 public:
  void add(std::string_view text, bool lasts) { cells_.push_back(lasts ? text : kept(text)); }
  std::span<const std::string_view> cells() const noexcept { return cells_; }

  double bytes() const noexcept { return bytes_of(cells_) + kept_bytes_; }
  double bytes_to_grow() const noexcept {
    return mugrad::bytes_to_grow(cells_) + GrowingMemory::kStep * kept_bytes_;
  }

 private:
  static constexpr std::size_t kChunk = 1 << 16;

  std::string_view kept(std::string_view text) {
    if (text.size() > left_.size()) {
      const auto size = std::max(kChunk, text.size());
      chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
      left_ = {chunks_.back().get(), size};
      kept_bytes_ += static_cast<double>(size);
    }
    char* const at = left_.data();
    std::ranges::copy(text, at);
    left_ = left_.subspan(text.size());
    return {at, text.size()};
  }

  std::vector<std::string_view> cells_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::span<char> left_;  ///< of the last chunk
  double kept_bytes_ = 0;
};

}  // namespace mugrad::formats
