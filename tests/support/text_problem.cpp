// SPDX-License-Identifier: MIT
#include "support/text_problem.h"

#include "support/random_problem.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad::testing {
namespace {

constexpr Index kConstant = 1, kNever = 10, kTermThatNeverOccurs = 5;
constexpr Index kFeatures = 18, kLabels = 4;
const std::vector<TermBlock> kTexts = {{.first = 3, .count = 6}, {.first = 11, .count = 5}};

/// Of each feature, the number of its text, or -1.
std::vector<Index> texts_of(const Dataset& data) {
  std::vector<Index> text(as_size(data.features()), -1);
  for (std::size_t t = 0; t < data.term_blocks.size(); ++t) {
    const TermBlock& block = data.term_blocks[t];
    std::fill_n(text.begin() + block.first, block.count, as_index(t));
  }
  return text;
}

Matrix<double> dense_of(const Features& x) {
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId k, double value) { rows(i, k) = value; });
  }
  return rows;
}

/// Statistics of a column over weighted rows.
struct Column {
  double mean = 0, variance = 0, rows_with = 0, rows = 0;

  Column(const Matrix<double>& x, const Dataset& data, Index k) {
    double least = x(0, k), largest = x(0, k);
    for (Index i = 0; i < x.rows(); ++i) {
      const double weight = data.weight_of(i);
      rows += weight;
      mean += weight * x(i, k);
      if (x(i, k) != 0) rows_with += weight;
      least = std::min(least, x(i, k));
      largest = std::max(largest, x(i, k));
    }
    mean /= rows;
    for (Index i = 0; i < x.rows(); ++i) {
      variance += data.weight_of(i) * (x(i, k) - mean) * (x(i, k) - mean) / rows;
    }
    if (least == largest) variance = 0;
  }
  double term_weight() const { return std::log((1 + rows) / (1 + rows_with)) + 1; }
};

bool has_length(RepresentationKind kind) {
  return kind != RepresentationKind::zscore && kind != RepresentationKind::none;
}

/// Divides what each row has in the columns of a block by its length, times `length`.
void set_length(Matrix<double>& rows, const std::vector<Index>& block_of, Index block,
                double length) {
  for (Index i = 0; i < rows.rows(); ++i) {
    double squares = 0;
    for (Index k = 0; k < rows.cols(); ++k) {
      if (block_of[as_size(k)] == block) squares += rows(i, k) * rows(i, k);
    }
    if (squares == 0) continue;
    for (Index k = 0; k < rows.cols(); ++k) {
      if (block_of[as_size(k)] == block) rows(i, k) *= length / std::sqrt(squares);
    }
  }
}

}  // namespace

Dataset text_problem(Index rows, std::uint64_t seed) {
  RandomStream random(seed, "text-problem");
  Dataset data{.name = "texts", .term_blocks = kTexts};
  data.x = Features(CsrMatrix<double>{.cols = kFeatures});
  data.y = {.cols = kLabels};
  const std::vector<Index> text = texts_of(data);
  const auto weights = random_weights(kFeatures, kLabels, seed + 1, 1);
  auto& x = data.x.sparse();
  for (Index i = 0; i < rows; ++i) {
    std::vector<double> z(kLabels, 0);
    const auto put = [&](Index k, double value) {
      x.column.push_back(static_cast<FeatureId>(k));
      x.value.push_back(value);
      for (Index t = 0; t < kLabels; ++t)
        z[as_size(t)] += weights(k, t) * (k == kConstant ? 0 : value);
    };
    for (Index k = 0; k < kFeatures; ++k) {
      const double drawn = random.normal();
      if (k == kConstant) {
        put(k, 2.5);
      } else if (k == kNever || k == kTermThatNeverOccurs) {
        continue;
      } else if (text[as_size(k)] < 0) {
        put(k, 2 * drawn + 1);
      } else if (drawn > 0.3 && (text[as_size(k)] > 0 || i % 7 != 3)) {
        put(k, 1 + std::floor(2 * drawn));
      }
    }
    x.end_row();
    for (Index t = 0; t < kLabels; ++t) {
      if (z[as_size(t)] + random.normal() > 0) data.y.column.push_back(static_cast<LabelId>(t));
    }
    data.y.end_row();
  }
  return data;
}

Matrix<double> plain_represented(const Features& x, const Dataset& training,
                                 RepresentationKind kind, double text_weight) {
  Matrix<double> rows = dense_of(x);
  const Matrix<double> known = dense_of(training.x);
  const std::vector<Index> text = texts_of(training);
  std::vector<Column> columns;
  for (Index k = 0; k < rows.cols(); ++k) columns.emplace_back(known, training, k);
  double occurring = 0, variances = 0;
  std::vector<bool> has_terms(training.term_blocks.size(), false);
  bool has_others = false;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = columns[k];
    if (column.rows_with > 0) ++occurring;
    if (text[k] >= 0) {
      if (column.rows_with > 0) has_terms[as_size(text[k])] = true;
      continue;
    }
    has_others |= has_length(kind) ? column.rows_with > 0 : column.variance > 0;
    if (kind == RepresentationKind::none) variances += column.variance;
    if (kind == RepresentationKind::zscore && column.variance > 0) variances += 1;
  }
  const double shares =
      text_weight * static_cast<double>(std::ranges::count(has_terms, true)) + (has_others ? 1 : 0);
  const double whole = kind == RepresentationKind::unit_row ? 1 : 10 * std::sqrt(occurring);
  const double length = std::sqrt(whole / shares);
  const double beside = has_others && variances > 0 ? length / std::sqrt(variances) : 1;
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.cols(); ++k) {
      const Column& column = columns[as_size(k)];
      if (text[as_size(k)] >= 0 || kind == RepresentationKind::tfidf) {
        rows(i, k) *= column.term_weight();
      } else if (kind == RepresentationKind::zscore) {
        const double deviation = std::sqrt(column.variance);
        rows(i, k) = deviation > 0 ? beside * (rows(i, k) - column.mean) / deviation : 0;
      } else if (kind == RepresentationKind::none) {
        rows(i, k) *= beside;
      }
    }
  }
  for (Index block = has_length(kind) ? -1 : 0; block < std::ssize(training.term_blocks); ++block) {
    set_length(rows, text, block, block < 0 ? length : length * std::sqrt(text_weight));
  }
  return rows;
}

}  // namespace mugrad::testing
