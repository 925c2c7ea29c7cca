// SPDX-License-Identifier: MIT
#include "data/formats/formats.h"
#include "data/formats/jsonl/json_text.h"
#include "data/formats/number.h"
#include "data/formats/table/column_names.h"
#include "data/formats/write_rows.h"

#include <cmath>

namespace mugrad::formats {
namespace {

/// The names as they stand before their values: `"name":`.
std::vector<std::string> keys_of(const ColumnNames& names) {
  std::vector<std::string> keys;
  keys.reserve(names.features.size() + names.labels.size());
  for (const auto* part : {&names.features, &names.labels}) {
    for (const auto& name : *part) {
      append_json_string(keys.emplace_back(), name);
      keys.back() += ':';
    }
  }
  return keys;
}

void append_value(std::string& text, double value) {
  std::isnan(value) ? static_cast<void>(text += "null") : append_number(text, value);
}

void append_row(std::string& text, const Dataset& data, Index row,
                const std::vector<std::string>& keys) {
  auto key = keys.begin();
  const auto append = [&](double value) {
    text += key == keys.begin() ? '{' : ',';
    text += *key++;
    append_value(text, value);
  };
  const auto append_zeros_before = [&](Index column) {
    while (key - keys.begin() < column) append(0);
  };
  data.x.for_each_in_row(row, [&](FeatureId column, double value) {
    append_zeros_before(column);
    append(value);
  });
  append_zeros_before(data.features());
  for_each_label(data, row, [&](LabelValue value) {
    append(value == LabelValue::unknown ? std::nan("") : value == LabelValue::one ? 1 : 0);
  });
  text += "}\n";
}

}  // namespace

std::vector<std::filesystem::path> write_jsonl(const Dataset& data,
                                               const std::filesystem::path& path,
                                               Progress* progress) {
  const auto keys = keys_of(column_names(data));
  check_values(data, true, "JSON lines");
  AtomicFile file(path);
  write_rows(file, data.rows(), progress,
             [&](std::string& text, Index row) { append_row(text, data, row, keys); });
  file.commit();
  return {path};
}

}  // namespace mugrad::formats
