// SPDX-License-Identifier: MIT
#include "data/formats/table/fill_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace mugrad::formats {
namespace {

constexpr std::int32_t kNotWanted = -1;
/// Values that are copied at a time, unless one column has more.
constexpr Index kPanelValues = Index{1} << 23;
constexpr Index kRowsPerUpdate = 4096;

/// What is known of a column after one pass.
struct ColumnTotals {
  Index values = 0;  ///< stored and not missing
  Index zeros = 0;   ///< not stored
  double sum = 0;
};

/// Calls fn(k, value) for the stored values of columns[first] to columns[last - 1], also NaN; k is
/// the column's position among `columns`.
template <class Function>
void for_each_value(const RawFeatures& raw, std::span<const FeatureId> columns, std::size_t first,
                    std::size_t last, Progress* progress, Function&& fn) {
  const FeatureId begin = columns[first];
  const FeatureId end = columns[last - 1] + 1;
  std::vector<std::int32_t> place(as_size(end - begin), kNotWanted);
  for (std::size_t k = first; k < last; ++k) {
    place[as_size(columns[k] - begin)] = static_cast<std::int32_t>(k);
  }
  for (Index row = 0; row < raw.rows(); ++row) {
    // All rows have been read: no share is left to report.
    if (row % kRowsPerUpdate == 0) advance(progress, 1);
    raw.for_each_in_row(row, begin, end, [&](FeatureId column, double value) {
      const auto k = place[as_size(column - begin)];
      if (k != kNotWanted) fn(as_size(k), value);
    });
  }
}

std::vector<ColumnTotals> totals_of(const RawFeatures& raw, std::span<const FeatureId> columns,
                                    Progress* progress) {
  std::vector<ColumnTotals> totals(columns.size(), {.zeros = raw.rows()});
  if (columns.empty()) return totals;
  for_each_value(raw, columns, 0, columns.size(), progress, [&](std::size_t k, double value) {
    --totals[k].zeros;
    if (std::isnan(value)) return;
    ++totals[k].values;
    totals[k].sum += value;
  });
  return totals;
}

/// The median of the values and so many zeros; 0 without any.
double median_of(std::span<double> values, Index zeros) {
  const Index count = std::ssize(values) + zeros;
  if (count == 0) return 0;
  const auto positive =
      std::partition(values.begin(), values.end(), [](double value) { return value < 0; });
  const Index negatives = positive - values.begin();
  const auto in_order = [&](Index place) {
    if (place >= negatives && place < negatives + zeros) return 0.0;
    const auto at = values.begin() + (place < negatives ? place : place - zeros);
    place < negatives ? std::nth_element(values.begin(), at, positive)
                      : std::nth_element(positive, at, values.end());
    return *at;
  };
  const double middle = in_order(count / 2);
  return count % 2 == 1 ? middle : std::midpoint(in_order(count / 2 - 1), middle);
}

}  // namespace

std::vector<double> medians_of(const RawFeatures& raw, std::span<const FeatureId> columns,
                               Progress* progress) {
  const auto totals = totals_of(raw, columns, progress);
  std::vector<double> medians(columns.size(), 0);
  std::vector<double> copied;
  std::vector<Index> next(columns.size(), 0);  // place in the copy, of the next value of a column
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t last = first;
    Index size = 0;
    for (; last < columns.size(); ++last) {
      if (last > first && size + totals[last].values > kPanelValues) break;
      next[last] = size;
      size += totals[last].values;
    }
    copied.resize(as_size(size));
    for_each_value(raw, columns, first, last, progress, [&](std::size_t k, double value) {
      if (!std::isnan(value)) copied[as_size(next[k]++)] = value;
    });
    for (std::size_t k = first; k < last; ++k) {
      const auto begin = as_size(next[k] - totals[k].values);
      const auto values = std::span(copied).subspan(begin, as_size(totals[k].values));
      medians[k] = median_of(values, totals[k].zeros);
    }
    first = last;
  }
  return medians;
}

std::vector<double> means_of(const RawFeatures& raw, std::span<const FeatureId> columns,
                             Progress* progress) {
  std::vector<double> means;
  for (const ColumnTotals& totals : totals_of(raw, columns, progress)) {
    const Index count = totals.values + totals.zeros;
    means.push_back(count == 0 ? 0 : totals.sum / static_cast<double>(count));
  }
  return means;
}

}  // namespace mugrad::formats
