// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/key_columns.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {

KeyColumns::KeyColumns(const JsonKeys& keys, const SourceText& source,
                       std::vector<std::string> names)
    : keys_(&keys),
      source_(&source),
      names_(std::move(names)),
      key_of_(names_.size(), JsonKeys::kNone) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    column_named_.emplace(names_[i], static_cast<std::int32_t>(i));
  }
}

std::int32_t KeyColumns::find(KeyId key) {
  if (keys_ == nullptr) return JsonColumns::kNone;
  const auto name = keys_->full_name(key);
  const auto found = column_named_.find(name);
  const auto column = found == column_named_.end() ? JsonColumns::kNone : found->second;
  if (column != JsonColumns::kNone && key_of_[as_size(column)] != JsonKeys::kNone) {
    source_->fail(
        keys_->at(key),
        fmt::format("the column {} has been another key before, and here the key is nested "
                    "otherwise; a dot stands for nesting",
                    shown(name)));
  }
  if (column != JsonColumns::kNone) key_of_[as_size(column)] = key;
  column_of_.resize(keys_->size(), kUnknown);
  return column_of_[as_size(key)] = column;
}

void KeyColumns::check_values() const {
  for (std::size_t i = 0; i < key_of_.size(); ++i) {
    if (key_of_[i] == JsonKeys::kNone) continue;
    const KeyValues& values = keys_->values(key_of_[i]);
    if (values.records != nullptr) fail_list(*source_, values.records, names_[i]);
    if (values.object == nullptr) continue;
    source_->fail(std::max(values.scalar, values.object),
                  fmt::format("{} is an object in some rows and another value in others, expected "
                              "the same everywhere; {} leaves out the other values",
                              shown(names_[i]), option_text(Option::drop, names_[i])));
  }
}

bool KeyColumns::has_any() {
  for (; !has_any_ && looked_at_ < keys_->size(); ++looked_at_) {
    const auto key = static_cast<KeyId>(looked_at_);
    has_any_ = is_column(keys_->values(key)) && column_named_.contains(keys_->full_name(key));
  }
  return has_any_;
}

std::vector<std::string> KeyColumns::in_rows() const {
  std::vector<std::string> names;
  if (keys_ == nullptr) return names;
  for (std::size_t k = 1; k < keys_->size(); ++k) {  // the first is the root
    const auto key = static_cast<KeyId>(k);
    if (is_column(keys_->values(key))) names.push_back(keys_->full_name(key));
  }
  return names;
}

}  // namespace mugrad::formats
