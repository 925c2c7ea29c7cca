// SPDX-License-Identifier: MIT
#include "data/formats/table/value_codes.h"

#include <algorithm>

namespace mugrad::formats {
namespace {

constexpr std::size_t kFew = 8;

}  // namespace

ValueCodes::ValueCodes(std::vector<std::string> values) : values_(std::move(values)) {
  if (values_.size() <= kFew) return;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    code_.emplace(values_[i], static_cast<std::int32_t>(i));
  }
}

std::int32_t ValueCodes::find(std::string_view value) const noexcept {
  if (code_.empty()) {
    const auto found = std::ranges::find(values_, value);
    return found == values_.end() ? kUnknown : static_cast<std::int32_t>(found - values_.begin());
  }
  const auto found = code_.find(value);
  return found == code_.end() ? kUnknown : found->second;
}

std::int32_t ValueCodes::intern(std::string_view value) {
  if (const auto known = find(value); known != kUnknown) return known;
  const auto code = static_cast<std::int32_t>(values_.size());
  values_.emplace_back(value);
  if (!code_.empty()) {
    code_.emplace(value, code);
  } else if (values_.size() > kFew) {
    *this = ValueCodes(std::move(values_));
  }
  return code;
}

}  // namespace mugrad::formats
