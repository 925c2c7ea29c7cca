// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/name_search.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// The values of a nominal attribute, each with its position as code.
class ValueCodes {
 public:
  static constexpr std::int32_t kUnknown = -1;

  ValueCodes() = default;
  explicit ValueCodes(std::vector<std::string> values);

  const std::vector<std::string>& values() const noexcept { return values_; }
  std::size_t size() const noexcept { return values_.size(); }
  const std::string& operator[](std::size_t code) const noexcept { return values_[code]; }

  /// The code of a value, or kUnknown.
  std::int32_t find(std::string_view value) const noexcept;
  /// The code of a value, which becomes known if it was not.
  std::int32_t intern(std::string_view value);

 private:
  std::vector<std::string> values_;
  TextMap<std::int32_t> code_;  ///< empty while the values are few enough to compare with each
};

}  // namespace mugrad::formats
