// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <vector>

namespace mugrad {
namespace {

constexpr Name<Similarity> kNames[] = {
    {Similarity::cosine, "cosine"},           {Similarity::jaccard, "jaccard"},
    {Similarity::conditional, "conditional"}, {Similarity::pearson, "pearson"},
    {Similarity::identity, "identity"},       {Similarity::weights, "weights"},
    {Similarity::predicted, "predicted"}};

/// The numbers of examples of two labels, alone and together.
struct Occurrence {
  double first, second, both, examples;
};

/// The labels with common examples for each label, and the weight of these examples.
class CommonExamples {
 public:
  CommonExamples(const BinaryMatrix& labels, const BinaryMatrix* unknown,
                 std::span<const double> row_weights)
      : labels_(labels), weights_(row_weights), rows_of_(transposed(labels)) {
    for (Index row = 0; row < labels.rows(); ++row) total_ += weight(row);
    for (LabelId i = 0; i < labels.cols; ++i) positives_.push_back(sum_of(rows_of_.row(i)));
    unknowns_.assign(positives_.size(), 0);
    if (unknown == nullptr || unknown->ones() == 0) return;
    unknown_ = unknown;
    unknown_rows_of_ = transposed(*unknown);
    for (LabelId i = 0; i < labels.cols; ++i) {
      unknowns_[as_size(i)] = sum_of(unknown_rows_of_.row(i));
    }
  }

  struct Partner {
    LabelId label;
    Occurrence occurrence;
  };
  /// Ascending, including the label itself; empty for a label without positives.
  std::vector<Partner> of(LabelId i) const {
    const auto both = counted(rows_of_.row(i), labels_);
    if (both.empty()) return {};
    std::map<LabelId, double> i_alone;  // i is positive, j unknown
    std::map<LabelId, double> j_alone;  // vice versa
    std::map<LabelId, double> neither;  // both unknown
    if (unknown_ != nullptr) {
      i_alone = counted(rows_of_.row(i), *unknown_);
      j_alone = counted(unknown_rows_of_.row(i), labels_);
      neither = counted(unknown_rows_of_.row(i), *unknown_);
    }
    const auto in = [](const std::map<LabelId, double>& counts, LabelId j) {
      const auto at = counts.find(j);
      return at == counts.end() ? 0 : at->second;
    };
    std::vector<Partner> partners;
    partners.reserve(both.size());
    for (const auto& [j, count] : both) {
      // At least `both`, despite rounding of differences.
      partners.push_back(
          {j,
           {.first = std::max(count, of(positives_, i) - in(i_alone, j)),
            .second = std::max(count, of(positives_, j) - in(j_alone, j)),
            .both = count,
            .examples = total_ - of(unknowns_, i) - of(unknowns_, j) + in(neither, j)}});
    }
    return partners;
  }

 private:
  double weight(Index row) const { return weights_.empty() ? 1 : weights_[as_size(row)]; }
  double sum_of(std::span<const LabelId> rows) const {
    double sum = 0;
    for (const LabelId row : rows) sum += weight(row);
    return sum;
  }
  /// The weight of the ones of each column in these rows; rows of weight zero do not count.
  std::map<LabelId, double> counted(std::span<const LabelId> rows,
                                    const BinaryMatrix& matrix) const {
    std::map<LabelId, double> counts;
    for (const LabelId row : rows) {
      if (weight(row) == 0) continue;
      for (const LabelId j : matrix.row(row)) counts[j] += weight(row);
    }
    return counts;
  }
  static double of(const std::vector<double>& sums, LabelId i) { return sums[as_size(i)]; }

  const BinaryMatrix& labels_;
  std::span<const double> weights_;
  const BinaryMatrix* unknown_ = nullptr;
  BinaryMatrix rows_of_;
  BinaryMatrix unknown_rows_of_;
  double total_ = 0;
  std::vector<double> positives_, unknowns_;  ///< of each label
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
    case Similarity::weights:
    case Similarity::predicted:
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

bool is_learned(Similarity similarity) noexcept {
  return similarity == Similarity::weights || similarity == Similarity::predicted;
}

CsrMatrix<double> label_similarity(const BinaryMatrix& labels, Similarity similarity,
                                   const BinaryMatrix* unknown,
                                   std::span<const double> row_weights) {
  assert(!is_learned(similarity));
  const CommonExamples common(labels, unknown, row_weights);
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
    order.resize(std::min(order.size(), as_size(k)));
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
