// SPDX-License-Identifier: MIT
#include "core/paced_progress.h"
#include "data/formats/csv/csv.h"
#include "data/formats/number.h"
#include "data/formats/source_text.h"
#include "data/formats/table/column_names.h"
#include "data/formats/table/label_values.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/data/csv_cell.h>

#include <fmt/format.h>

#include <cmath>

namespace mugrad::formats {
namespace {

std::string header(const ColumnNames& names) {
  std::vector<std::string_view> all(names.features.begin(), names.features.end());
  all.insert(all.end(), names.labels.begin(), names.labels.end());
  if (are_measurements(all)) {
    throw InputError(
        fmt::format("names that are numbers, such as {}, cannot be written as CSV: a reader "
                    "would take the first line for an example",
                    shown(all.front())));
  }
  std::string text;
  for (const auto* part : {&names.features, &names.labels}) {
    for (const auto& name : *part) {
      text += csv_cell(name);
      text += ',';
    }
  }
  text.back() = '\n';
  return text;
}

/// A line of the file, cell by cell.
class RowText {
 public:
  void start() { text_.clear(); }
  const std::string& text() const noexcept { return text_; }

  void add_features(const Dataset& data, Index row) {
    Index next = 0;
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      add_zeros(column - next);
      if (!std::isnan(value)) append_number(text_, value);
      text_ += ',';
      next = column + 1;
    });
    add_zeros(data.features() - next);
  }

  void add_labels(const Dataset& data, Index row) {
    for_each_label(data, row, [&](LabelValue value) {
      if (value != LabelValue::unknown) text_ += value == LabelValue::one ? '1' : '0';
      text_ += ',';
    });
  }

  void end() {
    text_.pop_back();
    // A row of one cell that is missing would be a blank line, which readers pass over.
    if (text_.empty()) text_ = R"("")";
    text_ += '\n';
  }

 private:
  void add_zeros(Index count) {
    for (Index i = 0; i < count; ++i) text_ += "0,";
  }

  std::string text_;
};

}  // namespace

void write_csv(const Dataset& data, const std::filesystem::path& path, Progress* progress) {
  const auto names = column_names(data);
  check_values(data, true, "CSV");
  AtomicFile file(path);
  file.write(header(names));
  RowText row;
  PacedProgress paced(progress, kBytesBetweenUpdates);
  for (Index i = 0; i < data.rows(); ++i) {
    row.start();
    row.add_features(data, i);
    row.add_labels(data, i);
    row.end();
    file.write(row.text());
    paced.add(std::ssize(row.text()), share_of(i + 1, data.rows()));
  }
  file.commit();
}

}  // namespace mugrad::formats
