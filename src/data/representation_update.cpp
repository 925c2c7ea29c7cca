// SPDX-License-Identifier: MIT
#include "data/representation_update.h"

#include "linalg/row_weight.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

double total_weight(const Features& x, std::span<const double> row_weights) {
  if (row_weights.empty()) return static_cast<double>(x.rows());
  return std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
}

/// ln((1 + n) / (1 + df)) + 1.
double term_weight(double rows, double rows_with) {
  return std::log((1 + rows) / (1 + rows_with)) + 1;
}

/// Whether features have weights by the rows that have them, for each feature.
std::vector<bool> weighted_features(const Representation& representation) {
  std::vector<bool> is_weighted(representation.mean.size(),
                                representation.kind == RepresentationKind::tfidf);
  for (const TermBlock& text : representation.term_blocks) {
    std::fill_n(is_weighted.begin() + text.first, text.count, true);
  }
  return is_weighted;
}

/// The rows that have each feature; of features without weights, only whether any has.
std::vector<double> rows_with(const Representation& representation, double rows) {
  const auto is_weighted = weighted_features(representation);
  std::vector<double> present;
  for (std::size_t k = 0; k < representation.mean.size(); ++k) {
    if (is_weighted[k]) {
      const double found = (1 + rows) / std::exp(representation.term_weight[k] - 1) - 1;
      // Whole numbers unless rows have weights; rounding must not make a row of none.
      constexpr double kRounding = 1e-9;
      present.push_back(found <= kRounding * (1 + rows) ? 0 : std::min(found, rows));
    } else {
      present.push_back(representation.mean[k] != 0 || representation.deviation[k] > 0 ? 1 : 0);
    }
  }
  return present;
}

/// Mean and deviation over two groups of rows.
void merge(double rows_a, double rows_b, double mean_b, double deviation_b, double& mean,
           double& deviation) {
  const double share = rows_b / (rows_a + rows_b);
  const double apart = mean_b - mean;
  if (apart == 0 && deviation == 0 && deviation_b == 0) return;  // constant in both
  const double within = (1 - share) * deviation * deviation + share * deviation_b * deviation_b;
  mean += share * apart;
  deviation = std::sqrt(within + share * (1 - share) * apart * apart);
}

}  // namespace

Representation moved(const Representation& before, const MovedColumns& columns) {
  Representation result = before;
  const auto size = columns.from.size();
  result.mean.assign(size, 0);
  result.deviation.assign(size, 0);
  if (!before.term_weight.empty()) {
    result.term_weight.assign(size, term_weight(columns.rows_before, 0));
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (columns.from[k] < 0) continue;
    const auto from = as_size(columns.from[k]);
    result.mean[k] = before.mean[from];
    result.deviation[k] = before.deviation[from];
    if (!before.term_weight.empty()) result.term_weight[k] = before.term_weight[from];
  }
  result.term_blocks.assign(columns.term_blocks.begin(), columns.term_blocks.end());
  return result;
}

void set_statistics_of(std::span<const Index> columns, double rows_before, const Features& x,
                       std::span<const double> row_weights, Representation& representation) {
  if (columns.empty()) return;
  constexpr Index kNone = -1;
  std::vector<Index> at(as_size(x.cols()), kNone);
  for (std::size_t i = 0; i < columns.size(); ++i) at[as_size(columns[i])] = as_index(i);
  std::vector<double> present(columns.size(), 0), sum(columns.size(), 0),
      squares(columns.size(), 0);
  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (at[as_size(column)] == kNone || value == 0) return;
      const auto i = as_size(at[as_size(column)]);
      present[i] += weight;
      sum[i] += weight * value;
      squares[i] += weight * value * value;
    });
  }
  const double rows = rows_before + total_weight(x, row_weights);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto k = as_size(columns[i]);
    const double mean = sum[i] / rows;
    representation.mean[k] = mean;
    representation.deviation[k] = std::sqrt(std::max(0.0, squares[i] / rows - mean * mean));
    if (!representation.term_weight.empty()) {
      representation.term_weight[k] = term_weight(rows, present[i]);
    }
  }
}

Representation updated(const Representation& before, double rows_before, const Features& x,
                       std::span<const double> row_weights, double text_weight) {
  const auto& texts = before.term_blocks;
  const double rows = total_weight(x, row_weights);
  const Representation of_new = fit_representation(x, before.kind, row_weights, texts);
  Representation result = before;
  for (std::size_t k = 0; k < result.mean.size(); ++k) {
    merge(rows_before, rows, of_new.mean[k], of_new.deviation[k], result.mean[k],
          result.deviation[k]);
  }
  auto present = rows_with(before, rows_before);
  const auto more = rows_with(of_new, rows);
  for (std::size_t k = 0; k < present.size(); ++k) present[k] += more[k];
  set_lengths(present, rows_before + rows, texts, text_weight, result);
  return result;
}

}  // namespace mugrad
