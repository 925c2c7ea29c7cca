// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/similarity.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

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

/// Which labels each label has common examples with, and how many.
class CommonExamples {
 public:
  CommonExamples(const BinaryMatrix& labels, const BinaryMatrix* unknown)
      : labels_(labels), rows_of_(transposed(labels)) {
    if (unknown == nullptr || unknown->ones() == 0) return;
    unknown_ = unknown;
    unknown_rows_of_ = transposed(*unknown);
  }

  struct Partner {
    LabelId label;
    Occurrence occurrence;
  };
  /// Ascending, the label itself included; empty for a label without positives.
  std::vector<Partner> of(LabelId i) const {
    const auto both = counted(rows_of_.row(i), labels_);
    if (both.empty()) return {};
    std::map<LabelId, Index> i_alone;  // i is positive, j unknown
    std::map<LabelId, Index> j_alone;  // the other way round
    std::map<LabelId, Index> neither;  // both unknown
    if (unknown_ != nullptr) {
      i_alone = counted(rows_of_.row(i), *unknown_);
      j_alone = counted(unknown_rows_of_.row(i), labels_);
      neither = counted(unknown_rows_of_.row(i), *unknown_);
    }
    const auto in = [](const std::map<LabelId, Index>& counts, LabelId j) {
      const auto at = counts.find(j);
      return at == counts.end() ? Index{0} : at->second;
    };
    std::vector<Partner> partners;
    partners.reserve(both.size());
    for (const auto& [j, count] : both) {
      partners.push_back({j,
                          {.first = static_cast<double>(positives(i) - in(i_alone, j)),
                           .second = static_cast<double>(positives(j) - in(j_alone, j)),
                           .both = static_cast<double>(count),
                           .examples = static_cast<double>(labels_.rows() - unknowns(i) -
                                                           unknowns(j) + in(neither, j))}});
    }
    return partners;
  }

 private:
  /// How often each column has a one in these rows.
  static std::map<LabelId, Index> counted(std::span<const LabelId> rows,
                                          const BinaryMatrix& matrix) {
    std::map<LabelId, Index> counts;
    for (const LabelId row : rows) {
      for (const LabelId j : matrix.row(row)) ++counts[j];
    }
    return counts;
  }
  Index positives(LabelId i) const { return std::ssize(rows_of_.row(i)); }
  Index unknowns(LabelId i) const {
    return unknown_ == nullptr ? 0 : std::ssize(unknown_rows_of_.row(i));
  }

  const BinaryMatrix& labels_;
  const BinaryMatrix* unknown_ = nullptr;
  BinaryMatrix rows_of_;
  BinaryMatrix unknown_rows_of_;
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

CsrMatrix<double> label_similarity(const BinaryMatrix& labels, Similarity similarity,
                                   const BinaryMatrix* unknown) {
  const CommonExamples common(labels, unknown);
  CsrMatrix<double> result;
  result.cols = labels.cols;
  const auto put = [&](LabelId column, double value) {
    if (value <= 0) return;
    result.column.push_back(column);
    result.value.push_back(value);
  };
  for (LabelId i = 0; i < labels.cols; ++i) {
    const auto partners = common.of(i);
    if (partners.empty()) put(i, 1);
    for (const auto& [j, occurrence] : partners) {
      put(j, i == j ? 1 : similarity_of(occurrence, similarity));
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
