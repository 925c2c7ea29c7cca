// SPDX-License-Identifier: MIT
#include <mugrad/data/dataset.h>

#include <algorithm>
#include <numeric>

namespace mugrad {

double Dataset::total_weight() const noexcept {
  if (row_weights.empty()) return static_cast<double>(rows());
  return std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
}

double Dataset::cardinality() const noexcept {
  return rows() == 0 ? 0 : static_cast<double>(y.ones()) / static_cast<double>(rows());
}

double Dataset::density() const noexcept {
  return labels() == 0 ? 0 : cardinality() / static_cast<double>(labels());
}

std::string name_or_number(const std::vector<std::string>& names, Index column) {
  return names.empty() ? std::to_string(column) : names[as_size(column)];
}

namespace {

BinaryMatrix select_rows(const BinaryMatrix& matrix, std::span<const Index> rows) {
  BinaryMatrix part;
  part.cols = matrix.cols;
  for (const Index row : rows) {
    const auto ones = matrix.row(row);
    part.column.insert(part.column.end(), ones.begin(), ones.end());
    part.end_row();
  }
  return part;
}

}  // namespace

Dataset select_rows(const Dataset& data, std::span<const Index> rows) {
  // Assigned one by one: g++ 12 destroys a member with a default, such as `unknown`, twice if a
  // later copy in the braces throws.
  Dataset part;
  part.name = data.name;
  part.x = select_rows(data.x, rows);
  part.y = select_rows(data.y, rows);
  part.feature_names = data.feature_names;
  part.label_names = data.label_names;
  part.term_blocks = data.term_blocks;
  part.widths_inferred = data.widths_inferred;
  part.labels_from = data.labels_from;
  part.encoding = data.encoding;
  if (data.unknown.rows() > 0) part.unknown = select_rows(data.unknown, rows);
  if (part.unknown.ones() == 0) part.unknown = {};
  if (!data.row_weights.empty()) {
    for (const Index row : rows) part.row_weights.push_back(data.weight_of(row));
  }
  if (!data.row_names.empty()) {
    for (const Index row : rows) part.row_names.push_back(data.row_names[as_size(row)]);
  }
  return part;
}

Index DataShape::labels_that_occur() const {
  if (y == nullptr) return labels;
  // There may be far more labels than ones, so memory is proportional to the ones.
  auto ones = y->column;
  std::ranges::sort(ones);
  return std::unique(ones.begin(), ones.end()) - ones.begin();
}

DataShape shape_of(const Dataset& data) {
  return {.rows = data.rows(),
          .features = data.features(),
          .labels = data.labels(),
          .stored = data.x.stored(),
          .positives = data.y.ones(),
          .is_sparse = data.x.is_sparse(),
          .y = &data.y};
}

}  // namespace mugrad
