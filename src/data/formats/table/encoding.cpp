// SPDX-License-Identifier: MIT
#include "data/formats/table/encoding.h"

#include "data/formats/source_text.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mugrad::formats {
namespace {

/// A dense matrix larger than this (16 GiB) comes from a text treated as nominal, not from data.
constexpr Index kMostDenseCells = Index{1} << 31;

/// Calls put(column, value) for the non-zero columns of one raw value, ascending.
template <class Put>
void expand(const ColumnEncoding& encoding, double raw, Put&& put) {
  if (encoding.width == 0) return;
  if (encoding.is_number) {
    if (raw != 0) put(encoding.first, raw);
  } else if (std::isnan(raw)) {
    for (FeatureId k = 0; k < encoding.width; ++k) put(encoding.first + k, raw);
  } else if (const auto k = encoding.column_for(static_cast<std::size_t>(raw));
             k != ColumnEncoding::kNone) {
    put(encoding.first + k, 1.0);
  }
}

void check_size(const EncodingPlan& plan, const RawFeatures& raw, const std::string& file) {
  const auto width = std::ssize(plan.names);
  if (width == 0 || raw.rows() <= kMostDenseCells / width) return;
  const auto widest = std::ranges::max_element(plan.columns, {}, &ColumnEncoding::width);
  if (widest->width == 1) return;
  throw InputError(fmt::format(
      "{}: attribute {} has {} values, too many for one column each; "
      "{} drops it",
      file, shown(widest->attribute), widest->width, option_text(Option::drop, widest->attribute)));
}

Matrix<double> expand_dense(const RawFeatures& raw, const EncodingPlan& plan) {
  Matrix<double> result(raw.rows(), std::ssize(plan.names));
  for (Index row = 0; row < raw.rows(); ++row) {
    auto out = result.row(row);
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      expand(plan.columns[as_size(position)], value,
             [&](FeatureId column, double made) { out[as_size(column)] = made; });
    });
  }
  return result;
}

/// Besides the stored entries, a row has the attributes whose first value sets a column to 1.
CsrMatrix<double> expand_sparse(const RawFeatures& raw, const EncodingPlan& plan) {
  CsrMatrix<double> result;
  result.cols = std::ssize(plan.names);
  const auto put = [&](FeatureId column, double value) {
    result.column.push_back(column);
    result.value.push_back(value);
  };
  std::vector<FeatureId> implied;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    if (plan.columns[i].zero_code_counts()) implied.push_back(static_cast<FeatureId>(i));
  }
  const auto encoding = [&](FeatureId position) -> const ColumnEncoding& {
    return plan.columns[as_size(position)];
  };
  for (Index row = 0; row < raw.rows(); ++row) {
    auto next = implied.begin();
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      for (; next != implied.end() && *next < position; ++next) expand(encoding(*next), 0, put);
      if (next != implied.end() && *next == position) ++next;
      expand(encoding(position), value, put);
    });
    for (; next != implied.end(); ++next) expand(encoding(*next), 0, put);
    result.end_row();
  }
  return result;
}

}  // namespace

double encoded_density(const RawFeatures& raw, const EncodingPlan& plan, Index rows) {
  assert(!raw.is_sparse() && rows <= raw.rows());
  const double cells = static_cast<double>(rows) * static_cast<double>(plan.names.size());
  Index entries = 0;
  for (Index row = 0; row < rows; ++row) {
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      expand(plan.columns[as_size(position)], value, [&](FeatureId, double) { ++entries; });
    });
  }
  return cells == 0 ? 1 : static_cast<double>(entries) / cells;
}

Features encode(RawFeatures raw, const EncodingPlan& plan, const std::string& file) {
  if (std::ranges::all_of(plan.columns, &ColumnEncoding::is_identity)) return std::move(raw).take();
  if (raw.is_sparse()) return expand_sparse(raw, plan);
  check_size(plan, raw, file);
  return expand_dense(raw, plan);
}

}  // namespace mugrad::formats
