// SPDX-License-Identifier: MIT
#include "model/panel_scores.h"

#include "linalg/ascending_rows.h"
#include "linalg/pass/kernels.h"

#include <mugrad/core/error.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

template <class Real>
Real square(Real x) noexcept {
  return x * x;
}

[[noreturn]] void refuse_columns(const RowRange& block) {
  const CsrPattern x = block.x.pattern();
  Index row = block.begin;
  while (rows_ascend(x, row, row + 1)) ++row;
  for (const std::int32_t column : x.row_columns(row)) {
    if (column >= 0 && column < x.cols) continue;
    throw UsageError(fmt::format("row {} has an entry in column {}, but there are {} columns", row,
                                 column, x.cols));
  }
  throw UsageError(fmt::format("the columns of row {} are not ascending", row));
}

}  // namespace

PanelScores::PanelScores(const Model& model, ThreadPool& pool)
    : features_(represented_features(model.contents().representation)),
      panels_(Panels::cut(std::ssize(model.contents().intercepts), kLine<double>,
                          kMostColumns / kLine<double>)),
      transform_(feature_transform(model.contents().representation)),
      dense_offsets_(panels_.padded()),
      sparse_offsets_(panels_.padded()),
      every_feature_(as_size(features_)) {
  if (features_ > model.features()) expansion_.emplace(model.contents().representation);
  for (AlignedBuffer<double>* offsets : {&dense_offsets_, &sparse_offsets_}) {
    std::ranges::copy(model.contents().intercepts, offsets->data());
  }
  for (std::size_t k = 0; k < transform_.shift.size(); ++k) zero_squared_length_ += square(zero(k));
  std::iota(every_feature_.begin(), every_feature_.end(), 0);
  std::visit([&](const auto& weights) { pack(weights, pool); }, model.contents().weights);
}

template <class Real>
void PanelScores::pack(const Matrix<Real>& weights, ThreadPool& pool) {
  AlignedBuffer<Real> packed(features_ * panels_.padded());
  pool.run(panels_.count, [&](Index panel) {
    const Index width = panels_.width(panel);
    const Index filled = panels_.filled(panel);
    double* const offsets = sparse_offsets_.data() + panels_.first(panel);
    Real* to = packed.data() + features_ * panels_.first(panel);
    for (Index k = 0; k < features_; ++k, to += width) {
      std::copy_n(weights.row(k).data() + panels_.first(panel), filled, to);
      if (transform_.shift.empty()) continue;
      const double moved = zero(as_size(k));
      for (Index t = 0; t < filled; ++t) offsets[t] -= moved * static_cast<double>(to[t]);
    }
  });
  weights_ = std::move(packed);
}

PanelScores::Scratch PanelScores::scratch() const {
  Scratch scratch;
  scratch.starts.resize(kBlockRows + 1);
  scratch.z = AlignedBuffer<double>(kBlockRows * std::min(panels_.padded(), kMostColumns));
  return scratch;
}

void PanelScores::make_room(const RowRange& rows, Index most, Scratch& scratch) const {
  Index entries = most * features_;
  if (rows.x.is_sparse() && !expansion_) {
    const Index* const start = rows.x.pattern().row_start;
    entries = 0;
    for (Index first = rows.begin; first < rows.end; first += most) {
      const Index end = std::min(first + most, rows.end);
      entries = std::max(entries, start[end] - start[first]);
    }
  }
  if (std::ssize(scratch.values) < entries) {
    scratch.values.resize(as_size(entries));
    if (expansion_) scratch.expanded.resize(as_size(entries));
  }
}

RowRange PanelScores::begin(const RowRange& given, Scratch& scratch) const {
  assert(given.count() <= kBlockRows);
  if (given.x.is_sparse() && !rows_ascend(given.x.pattern(), given.begin, given.end)) {
    refuse_columns(given);
  }
  const RowRange block = expansion_ ? expanded(given, scratch) : given;
  block.x.visit([&](const auto& x) { transform(x, block, scratch); });
  return block;
}

RowRange PanelScores::expanded(const RowRange& block, Scratch& scratch) const {
  expansion_->expand(block.x, block.begin, block.end, scratch.expanded.data(), scratch.expansion);
  scratch.expanded_rows =
      Features(DenseView<double>{block.count(), features_, scratch.expanded.data()}, nullptr);
  return {scratch.expanded_rows, 0, block.count(), block.before + block.begin};
}

/// Zeros are skipped: the offsets contain the effect of the shift, so nothing is subtracted.
template <class Real>
void PanelScores::transform(const CsrView<Real>& x, const RowRange& block, Scratch& scratch) const {
  double* to = scratch.values.data();
  for (Index row = block.begin; row < block.end; ++row) {
    scratch.starts[as_size(row - block.begin)] = to - scratch.values.data();
    scratch.of_row.begin(transform_, block.x, row);
    for_each_piece(transform_.parts, x, row,
                   [&](Index part, const auto& column, const auto& values) {
                     const double of_row = scratch.of_row.of_part(part);
                     for (std::size_t k = 0; k < values.size(); ++k) {
                       to[k] = static_cast<double>(values[k]) * of_row * factor(column(k));
                     }
                     to += values.size();
                   });
  }
  scratch.starts[as_size(block.count())] = to - scratch.values.data();
}

template <class Real>
void PanelScores::transform(const DenseView<Real>& x, const RowRange& block,
                            Scratch& scratch) const {
  double* to = scratch.values.data();
  for (Index row = block.begin; row < block.end; ++row) {
    for_each_with_factor(transform_, block.x, x, row, scratch.of_row,
                         [&](std::size_t k, double value, double of_row) {
                           to[k] = (value * of_row - shift(k)) * factor(k);
                         });
    to += x.cols;
  }
}

/// The linear scores of the rows for a panel. A dense row stores every feature. A matrix product
/// would be faster, but its sums would depend on the number of rows.
void PanelScores::multiply(const RowRange& block, Index panel, Scratch& scratch) const {
  const Index count = block.count();
  const Index width = panels_.width(panel);
  const Index first = panels_.first(panel);
  std::visit(
      [&](const auto& weights) {
        const auto* const from = weights.data() + features_ * first;
        if (block.x.is_sparse()) {
          const CsrPattern x = block.x.pattern();
          const auto* const columns = x.column + x.row_start[block.begin];
          multiply_rows({count, scratch.starts.data(), columns, scratch.values.data()}, from,
                        sparse_offsets_.data() + first, width, scratch.z.data());
          return;
        }
        const std::array<Index, 2> starts = {0, features_};
        for (Index row = 0; row < count; ++row) {
          multiply_rows(
              {1, starts.data(), every_feature_.data(), scratch.values.data() + row * features_},
              from, dense_offsets_.data() + first, width, scratch.z.data() + row * width);
        }
      },
      weights_);
}

void PanelScores::measure_lengths(const RowRange& block, Scratch& scratch) const {
  scratch.squared_lengths.resize(as_size(block.count()));
  for (Index row = block.begin; row < block.end; ++row) {
    const auto at = as_size(row - block.begin);
    double sum = 0;
    if (block.x.is_sparse()) {
      const auto columns = block.x.pattern().row_columns(row);
      const double* const values = scratch.values.data() + scratch.starts[at];
      sum = zero_squared_length_;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto column = as_size(columns[k]);
        sum += square(values[k] - zero(column)) - square(zero(column));
      }
    } else {
      const double* const values = scratch.values.data() + as_index(at) * features_;
      for (Index k = 0; k < features_; ++k) sum += square(values[k]);
    }
    scratch.squared_lengths[at] = sum;
  }
}

template <class Real>
void PanelScores::scale_row(const Features& x, Index row, RowFactors<Real>& of_row,
                            std::vector<FeatureId>& features, std::vector<Real>& values) const {
  features.clear();
  values.clear();
  const bool has_shift = !transform_.shift.empty();
  if (has_shift) {
    features = every_feature_;
    for (std::size_t k = 0; k < features.size(); ++k) values.push_back(-zero(k));
  }
  for_each_with_factor(transform_, x, row, of_row,
                       [&](std::size_t k, double entry, Real row_factor) {
                         const Real value = (entry * row_factor - shift(k)) * factor(k);
                         if (has_shift) {
                           values[k] = value;
                         } else {
                           features.push_back(static_cast<FeatureId>(k));
                           values.push_back(value);
                         }
                       });
}
template void PanelScores::scale_row(const Features&, Index, RowFactors<double>&,
                                     std::vector<FeatureId>&, std::vector<double>&) const;
template void PanelScores::scale_row(const Features&, Index, RowFactors<long double>&,
                                     std::vector<FeatureId>&, std::vector<long double>&) const;

long double PanelScores::multiply_wide(const Features& x, Index row,
                                       RowFactors<long double>& of_row,
                                       std::span<long double> z) const {
  const bool is_sparse = x.is_sparse();
  std::copy_n((is_sparse ? sparse_offsets_ : dense_offsets_).data(), z.size(), z.begin());
  long double squared_length = is_sparse ? zero_squared_length_ : 0;
  const auto add = [&](const auto& weights, std::size_t k, double entry, long double row_factor) {
    // The offsets of sparse rows contain the effect of the shift on zeros.
    const long double moved = is_sparse ? 0 : shift(k);
    const long double value = (entry * row_factor - moved) * factor(k);
    const long double before = is_sparse ? zero(k) : 0;
    squared_length += square(value - before) - square(before);
    for (Index panel = 0; panel < panels_.count; ++panel) {
      const Index first = panels_.first(panel);
      const auto* const from =
          weights.data() + features_ * first + as_index(k) * panels_.width(panel);
      for (Index t = 0; t < panels_.filled(panel); ++t) {
        z[as_size(first + t)] += value * from[t];
      }
    }
  };
  std::visit(
      [&](const auto& weights) {
        for_each_with_factor(transform_, x, row, of_row,
                             [&](std::size_t k, double entry, long double row_factor) {
                               add(weights, k, entry, row_factor);
                             });
      },
      weights_);
  return squared_length;
}

}  // namespace mugrad
