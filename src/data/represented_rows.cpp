// SPDX-License-Identifier: MIT
#include "linalg/scaled_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/data/representation.h>

#include <cassert>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

/// Columns whose zeros become another value, with that value.
std::vector<std::pair<FeatureId, double>> moved_zeros(const FeatureTransform& transform) {
  std::vector<std::pair<FeatureId, double>> moved;
  for (std::size_t k = 0; k < transform.shift.size(); ++k) {
    const double factor = transform.factor.empty() ? 1 : transform.factor[k];
    const double value = (0 - transform.shift[k]) * factor;
    if (value != 0) moved.emplace_back(static_cast<FeatureId>(k), value);
  }
  return moved;
}

/// Sparse rows; where zeros are moved, every row has an entry.
CsrMatrix<double> sparse_rows(const Features& x, const FeatureTransform& transform) {
  const auto moved = moved_zeros(transform);
  CsrMatrix<double> rows;
  rows.cols = x.cols();
  const auto put = [&](FeatureId column, double value) {
    if (value == 0) return;
    rows.column.push_back(column);
    rows.value.push_back(value);
  };
  RowFactors<double> of_row;
  for (Index row = 0; row < x.rows(); ++row) {
    auto next = moved.begin();
    const auto put_moved_before = [&](Index column) {
      for (; next != moved.end() && next->first < column; ++next) put(next->first, next->second);
    };
    for_each_with_factor(transform, x, row, of_row,
                         [&](std::size_t k, double value, double row_factor) {
                           const auto column = static_cast<FeatureId>(k);
                           put_moved_before(column);
                           if (next != moved.end() && next->first == column) ++next;
                           const double shift = transform.shift.empty() ? 0 : transform.shift[k];
                           const double factor = transform.factor.empty() ? 1 : transform.factor[k];
                           put(column, (value * row_factor - shift) * factor);
                         });
    put_moved_before(x.cols());
    rows.end_row();
  }
  return rows;
}

}  // namespace

Features represented(const Features& x, const Representation& representation) {
  assert(x.cols() == std::ssize(representation.mean));
  if (representation.kind == RepresentationKind::gaussian) {
    throw UsageError("Gaussian features are made by training, not beforehand");
  }
  const FeatureTransform transform = feature_transform(representation);
  const bool shifts_all = !transform.shift.empty() && transform.parts.is_empty();
  if (x.is_sparse() && !shifts_all) return sparse_rows(x, transform);
  const auto cells = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  require_memory({"represented rows", cells * static_cast<double>(sizeof(double))},
                 "representing rows", "a representation without shifts");
  return transformed_rows(x, transform);
}

}  // namespace mugrad
