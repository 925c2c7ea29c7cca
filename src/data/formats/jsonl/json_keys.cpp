// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_keys.h"

#include <cstring>

namespace mugrad::formats {

KeyId JsonKeys::guess(KeyId parent, KeyId previous, const char* raw,
                      const char* end) const noexcept {
  const KeyId likely =
      previous == kNone ? keys_[as_size(parent)].first_child : keys_[as_size(previous)].next;
  if (likely == kNone) return kNone;
  const std::string& expected = keys_[as_size(likely)].raw;
  const bool is_it = as_size(end - raw) >= expected.size() &&
                     std::memcmp(raw, expected.data(), expected.size()) == 0;
  return is_it ? likely : kNone;
}

KeyId JsonKeys::find_or_add(KeyId parent, KeyId previous, std::string_view name,
                            std::string_view raw, const char* at) {
  auto& children = keys_[as_size(parent)].children;
  const auto known = children.find(name);
  KeyId key = kNone;
  if (known != children.end()) {
    key = known->second;
  } else {
    key = static_cast<KeyId>(keys_.size());
    children.emplace(name, key);
    keys_.push_back(
        {.name = std::string(name), .raw = std::string(raw), .parent = parent, .at = at});
  }
  (previous == kNone ? keys_[as_size(parent)].first_child : keys_[as_size(previous)].next) = key;
  return key;
}

std::string JsonKeys::full_name(KeyId key) const {
  const Key& found = keys_[as_size(key)];
  return found.parent == kRoot ? found.name : full_name(found.parent) + "." + found.name;
}

}  // namespace mugrad::formats
