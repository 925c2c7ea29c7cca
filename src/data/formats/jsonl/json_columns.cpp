// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_columns.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {

bool is_column(const KeyValues& values) noexcept {
  return values.scalar != nullptr || values.records != nullptr || values.object == nullptr;
}

JsonColumns columns_of(const JsonKeys& keys, const SourceText& source) {
  JsonColumns columns;
  columns.column_of.assign(keys.size(), JsonColumns::kNone);
  TextMap<const char*> seen;
  for (std::size_t k = 1; k < keys.size(); ++k) {  // the first is the root
    const auto key = static_cast<KeyId>(k);
    if (!is_column(keys.values(key))) continue;
    const char* at = keys.at(key);
    auto name = keys.full_name(key);
    const auto [other, added] = seen.emplace(name, at);
    if (!added) {
      source.fail(at, fmt::format("the column {} has been a key on line {}, and here the key is "
                                  "nested otherwise; a dot stands for nesting",
                                  shown(name), source.line_of(other->second)));
    }
    columns.column_of[k] = static_cast<std::int32_t>(columns.keys.size());
    columns.keys.push_back(k);
    columns.attributes.push_back(
        {.name = std::move(name), .type = AttributeType::open, .at = at, .is_lenient = true});
  }
  return columns;
}

void fail_list(const SourceText& source, const char* at, const std::string& name) {
  source.fail(at,
              fmt::format("{} has a list of objects or lists, expected a single value or a list "
                          "of these; {} leaves it out",
                          shown(name), option_text(Option::drop, name)));
}

void check_values_of(const JsonKeys& keys, const JsonColumns& columns, const TableColumns& table,
                     const SourceText& source) {
  for (std::size_t i = 0; i < columns.keys.size(); ++i) {
    if (table.dropped[i]) continue;
    const bool are_tags = table.header.attributes[i].type == AttributeType::tags;
    const auto& [scalar, object, records] = keys.values(static_cast<KeyId>(columns.keys[i]));
    const std::string& name = columns.attributes[i].name;
    const auto drops = option_text(Option::drop, name);
    if (records != nullptr && !are_tags) fail_list(source, records, name);
    if (object != nullptr) {
      source.fail(std::max(scalar, object),
                  fmt::format("{} has an object on line {} and another value on line {}, expected "
                              "the same everywhere; {} leaves out the other values",
                              shown(name), source.line_of(object), source.line_of(scalar), drops));
    }
  }
}

}  // namespace mugrad::formats
