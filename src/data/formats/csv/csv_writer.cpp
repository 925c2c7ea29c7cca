// SPDX-License-Identifier: MIT
#include "data/csv_cell.h"
#include "data/formats/csv/delimiter.h"
#include "data/formats/formats.h"
#include "data/formats/number.h"
#include "data/formats/table/column_names.h"
#include "data/formats/write_rows.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <cmath>

namespace mugrad::formats {
namespace {

/// What names have in quotes only: delimiters, one of which a reader might take for that of the
/// file, and what starts a comment of ARFF or an object of JSON.
constexpr std::string_view kQuoted = ",;\t|%{";

std::string header(const ColumnNames& names, char delimiter) {
  std::vector<std::string_view> all(names.features.begin(), names.features.end());
  all.insert(all.end(), names.labels.begin(), names.labels.end());
  if (are_measurements(all)) {
    throw InputError(
        fmt::format("names that are numbers, such as {}, cannot be written as CSV: a reader "
                    "would read the first line as an example",
                    shown(all.front())));
  }
  std::string text;
  for (const auto* part : {&names.features, &names.labels}) {
    for (const auto& name : *part) {
      text += csv_cell(name, kQuoted);
      text += delimiter;
    }
  }
  text.back() = '\n';
  return text;
}

void append_row(std::string& text, const Dataset& data, Index row, char delimiter) {
  const auto append_zeros = [&](Index count) {
    for (Index i = 0; i < count; ++i) (text += '0') += delimiter;
  };
  Index next = 0;
  data.x.for_each_in_row(row, [&](FeatureId column, double value) {
    append_zeros(column - next);
    if (!std::isnan(value)) append_number(text, value);
    text += delimiter;
    next = column + 1;
  });
  append_zeros(data.features() - next);
  for_each_label(data, row, [&](LabelValue value) {
    if (value != LabelValue::unknown) text += value == LabelValue::one ? '1' : '0';
    text += delimiter;
  });
  text.pop_back();
  // A row of one cell that is missing would be a blank line, which readers pass over.
  if (text.empty()) text = R"("")";
  text += '\n';
}

}  // namespace

std::vector<std::filesystem::path> write_csv(const Dataset& data, const std::filesystem::path& path,
                                             Progress* progress) {
  const auto names = column_names(data);
  check_values(data, true, "CSV");
  const char delimiter = is_tab_file(path) ? '\t' : ',';
  AtomicFile file(path);
  file.write(header(names, delimiter));
  write_rows(file, data.rows(), progress,
             [&](std::string& text, Index row) { append_row(text, data, row, delimiter); });
  file.commit();
  return {path};
}

}  // namespace mugrad::formats
