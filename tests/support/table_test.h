// SPDX-License-Identifier: MIT
#pragma once

#include "support/data_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mugrad::testing {

/// Reads small tables, and other rows as a model of them would.
class TableTest : public ::testing::Test {
 protected:
  Dataset read(std::string_view text, ReadOptions options = {}) {
    if (options.label_columns.empty() && options.tags.empty()) options.label_columns = {"y"};
    options.summary = [this](const TableSummary& found) { summary = found; };
    return files.read("a.csv", text, options);
  }
  ColumnRole role_of(std::string_view name) const {
    for (const auto& column : summary.columns) {
      if (column.name == name) return column.role;
    }
    ADD_FAILURE() << "no column " << name;
    return ColumnRole::ignored;
  }
  static ReadOptions like(const Dataset& data) {
    return {.labels_optional = true,
            .encode_like = data.feature_names,
            .encoding = data.encoding,
            .keep_row_names = true};
  }
  /// Encodes other rows as `data` was.
  Dataset read_like(const Dataset& data, std::string_view text) {
    return files.read("new.csv", text, like(data));
  }

  DataFiles files;
  TableSummary summary;
};

/// A table of so many rows, each made from its number.
template <class Row>
std::string table(std::string_view header, int rows, Row&& row) {
  std::string text = fmt::format("{}\n", header);
  for (int i = 0; i < rows; ++i) text += row(i) + "\n";
  return text;
}

}  // namespace mugrad::testing
