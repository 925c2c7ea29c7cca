// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mugrad::formats {

/// Allows lookups by std::string_view in maps keyed by std::string.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

/// The ending `; did you mean 'x'?` of a message about an unknown name, if a name is close enough;
/// otherwise empty.
std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names);

}  // namespace mugrad::formats
