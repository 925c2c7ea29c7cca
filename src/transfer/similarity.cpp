// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/similarity.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace mugrad {
namespace {

constexpr Name<Similarity> kNames[] = {{Similarity::cosine, "cosine"},
                                       {Similarity::jaccard, "jaccard"},
                                       {Similarity::conditional, "conditional"},
                                       {Similarity::pearson, "pearson"},
                                       {Similarity::identity, "identity"}};

/// How many examples two labels have, alone and together.
struct Occurrence {
  double first, second, both, examples;
};

double similarity_of(const Occurrence& n, Similarity similarity) {
  switch (similarity) {
    case Similarity::cosine:
      return n.both / std::sqrt(n.first * n.second);
    case Similarity::jaccard:
      return n.both / (n.first + n.second - n.both);
    case Similarity::conditional:
      return n.both / n.first;
    case Similarity::pearson: {
      const double spread = n.first * (n.examples - n.first) * n.second * (n.examples - n.second);
      const double together = n.examples * n.both - n.first * n.second;
      return spread > 0 ? std::max(0.0, together / std::sqrt(spread)) : 0;
    }
    case Similarity::identity:
      return 0;
  }
  return 0;
}

}  // namespace

std::string_view to_string(Similarity similarity) {
  return name_of<Similarity>(kNames, similarity);
}

Similarity similarity_named(std::string_view name) {
  return named<Similarity>(kNames, name, "similarity");
}

CsrMatrix<double> label_similarity(const BinaryMatrix& labels, Similarity similarity) {
  const BinaryMatrix rows_of = transposed(labels);
  const std::vector<Index> positives = column_counts(labels);
  const auto count = [&](LabelId label) {
    return static_cast<double>(positives[static_cast<std::size_t>(label)]);
  };
  CsrMatrix<double> result;
  result.cols = labels.cols;
  const auto put = [&](LabelId column, double value) {
    if (value <= 0) return;
    result.column.push_back(column);
    result.value.push_back(value);
  };

  std::vector<Index> together(static_cast<std::size_t>(labels.cols), 0);
  std::vector<LabelId> met;
  for (LabelId i = 0; i < labels.cols; ++i) {
    met.clear();
    for (const LabelId row : rows_of.row(i)) {
      for (const LabelId j : labels.row(row)) {
        if (together[static_cast<std::size_t>(j)]++ == 0) met.push_back(j);
      }
    }
    if (met.empty()) put(i, 1);
    std::ranges::sort(met);
    for (const LabelId j : met) {
      const auto both =
          static_cast<double>(std::exchange(together[static_cast<std::size_t>(j)], 0));
      const Occurrence n{count(i), count(j), both, static_cast<double>(labels.rows())};
      put(j, i == j ? 1 : similarity_of(n, similarity));
    }
    result.end_row();
  }
  return result;
}

CsrMatrix<double> strongest_per_row(const CsrMatrix<double>& similarity, Index k) {
  if (k < 0) throw UsageError(fmt::format("the strongest k per row need k >= 0, got {}", k));
  CsrMatrix<double> result;
  result.cols = similarity.cols;
  std::vector<std::size_t> order;
  for (Index i = 0; i < similarity.rows(); ++i) {
    const auto columns = similarity.row_columns(i);
    const auto values = similarity.row_values(i);
    order.clear();
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j] != i) order.push_back(j);
    }
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t j) { return values[j]; });
    order.resize(std::min(order.size(), static_cast<std::size_t>(k)));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j] == i) order.push_back(j);
    }
    std::ranges::sort(order);
    for (const std::size_t j : order) {
      result.column.push_back(columns[j]);
      result.value.push_back(values[j]);
    }
    result.end_row();
  }
  return result;
}

}  // namespace mugrad
