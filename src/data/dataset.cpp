// SPDX-License-Identifier: MIT
#include <mugrad/data/dataset.h>

namespace mugrad {

double Dataset::cardinality() const noexcept {
  return rows() == 0 ? 0 : static_cast<double>(y.ones()) / static_cast<double>(rows());
}

double Dataset::density() const noexcept {
  return labels() == 0 ? 0 : cardinality() / static_cast<double>(labels());
}

std::string name_or_number(const std::vector<std::string>& names, Index column) {
  return names.empty() ? std::to_string(column) : names[static_cast<std::size_t>(column)];
}

Dataset select_rows(const Dataset& data, std::span<const Index> rows) {
  Dataset part{.name = data.name,
               .x = select_rows(data.x, rows),
               .y = {},
               .feature_names = data.feature_names,
               .label_names = data.label_names,
               .widths_inferred = data.widths_inferred};
  part.y.cols = data.y.cols;
  for (const Index row : rows) {
    const auto labels = data.y.row(row);
    part.y.column.insert(part.y.column.end(), labels.begin(), labels.end());
    part.y.end_row();
  }
  return part;
}

}  // namespace mugrad
