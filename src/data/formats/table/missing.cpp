// SPDX-License-Identifier: MIT
#include "data/formats/source_text.h"
#include "data/formats/table/encoding.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

namespace mugrad {
namespace {

void fill(Matrix<double>& matrix, std::span<const double> means) {
  for (Index row = 0; row < matrix.rows(); ++row) {
    auto values = matrix.row(row);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isnan(values[k])) values[k] = means[k];
    }
  }
}

/// A mean of 0 must not become an entry, so later entries move forward.
void fill(CsrMatrix<double>& matrix, std::span<const double> means) {
  std::size_t kept = 0;
  std::size_t next = 0;
  for (std::size_t row = 1; row < matrix.row_start.size(); ++row) {
    for (; next < as_size(matrix.row_start[row]); ++next) {
      const auto column = matrix.column[next];
      const double value =
          std::isnan(matrix.value[next]) ? means[as_size(column)] : matrix.value[next];
      if (value == 0) continue;
      matrix.column[kept] = column;
      matrix.value[kept++] = value;
    }
    matrix.row_start[row] = as_index(kept);
  }
  matrix.column.resize(kept);
  matrix.value.resize(kept);
}

/// A writable copy.
Features owned(const Features& features) {
  if (!features.is_sparse()) {
    Matrix<double> copy(features.rows(), features.cols());
    for (Index row = 0; row < copy.rows(); ++row) {
      features.for_each_in_row(row,
                               [&](FeatureId column, double value) { copy(row, column) = value; });
    }
    return copy;
  }
  CsrMatrix<double> copy;
  copy.cols = features.cols();
  for (Index row = 0; row < features.rows(); ++row) {
    features.for_each_in_row(row, [&](FeatureId column, double value) {
      copy.column.push_back(column);
      copy.value.push_back(value);
    });
    copy.end_row();
  }
  return copy;
}

}  // namespace

bool has_missing(const Features& features) {
  bool any = false;
  for (Index row = 0; row < features.rows() && !any; ++row) {
    features.for_each_in_row(row, [&](FeatureId, double value) { any |= std::isnan(value); });
  }
  return any;
}

void fill_missing(Features& features, std::span<const double> means) {
  assert(std::ssize(means) == features.cols());
  if (!has_missing(features)) return;
  if (features.is_borrowed()) features = owned(features);
  features.is_sparse() ? fill(features.sparse(), means) : fill(features.dense(), means);
}

namespace formats {

void impute_means(Features& features, const std::vector<std::string>& names,
                  const ReadOptions& options) {
  // Checked first, because a small file can have more columns than fit into memory.
  if (!has_missing(features)) return;
  const auto columns = as_size(features.cols());
  std::vector<double> sum(columns, 0);
  std::vector<Index> absent(columns, 0);
  for (Index row = 0; row < features.rows(); ++row) {
    features.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      std::isnan(value) ? static_cast<void>(++absent[k]) : static_cast<void>(sum[k] += value);
    });
  }
  for (std::size_t k = 0; k < columns; ++k) {
    const Index present = features.rows() - absent[k];
    if (present > 0) {
      sum[k] /= static_cast<double>(present);
    } else {
      options.tell(
          fmt::format("every value of {} is missing: 0 takes their place", shown(names[k])));
    }
  }
  fill_missing(features, sum);
}

}  // namespace formats
}  // namespace mugrad
