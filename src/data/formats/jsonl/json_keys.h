// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/name_search.h"
#include "data/formats/source_text.h"

#include <mugrad/core/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mugrad::formats {

using KeyId = std::int32_t;

/// What values a key has had, by the position of the first of each kind; null if there was none. A
/// null has no kind.
struct KeyValues {
  const char* scalar = nullptr;   ///< a number, text, truth value or list of these
  const char* object = nullptr;   ///< whose keys are children
  const char* records = nullptr;  ///< a list with objects or lists
  Index count = 0;                ///< how many values were read that are no objects
};

/// The keys of all records as a tree: those of a nested object are children of its key.
class JsonKeys {
 public:
  static constexpr KeyId kRoot = 0;
  static constexpr KeyId kNone = -1;

  JsonKeys() : keys_(1) {}

  /// The number of keys, counting the root.
  std::size_t size() const noexcept { return keys_.size(); }

  /// The key that followed `previous` (kNone: that came first) among the children of `parent` in an
  /// earlier record, if the text at `raw`, which ends before `end`, starts with it and a quote.
  KeyId guess(KeyId parent, KeyId previous, const char* raw, const char* end) const noexcept;
  /// The child of this name, which is added if it is new: it came after `previous` at `at`. `raw`
  /// is the name as it is written, with the quote after it.
  KeyId find_or_add(KeyId parent, KeyId previous, std::string_view name, std::string_view raw,
                    const char* at);

  /// Whether this is the first time that the key occurs in the record of this number.
  bool is_new_in(Index record, KeyId key) noexcept {
    return std::exchange(keys_[as_size(key)].record, record) != record;
  }

  KeyValues& values(KeyId key) noexcept { return keys_[as_size(key)].values; }
  const KeyValues& values(KeyId key) const noexcept { return keys_[as_size(key)].values; }
  const char* at(KeyId key) const noexcept { return keys_[as_size(key)].at; }
  /// With those of the enclosing objects before it: "customer.plan".
  std::string full_name(KeyId key) const;

 private:
  struct Key {
    std::string name = {};
    std::string raw = {};
    KeyId parent = kNone;
    KeyId next = kNone;         ///< the key after it in the last record that was not as guessed
    KeyId first_child = kNone;  ///< the same for the first of its children
    Index record = -1;          ///< the last record that has it
    const char* at = nullptr;   ///< where it occurs first
    KeyValues values = {};
    TextMap<KeyId> children = {};
  };

  std::vector<Key> keys_;  ///< in the order of their first occurrence
};

}  // namespace mugrad::formats
