// SPDX-License-Identifier: MIT
#include <mugrad/transfer/similarity.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mugrad {

CsrMatrix<double> cosine_similarity(const BinaryMatrix& labels) {
  const BinaryMatrix rows_of = transposed(labels);
  const std::vector<Index> positives = column_counts(labels);
  CsrMatrix<double> similarity;
  similarity.cols = labels.cols;

  std::vector<Index> together(static_cast<std::size_t>(labels.cols), 0);
  std::vector<LabelId> met;
  for (LabelId i = 0; i < labels.cols; ++i) {
    met.clear();
    for (const LabelId row : rows_of.row(i)) {
      for (const LabelId j : labels.row(row)) {
        if (together[static_cast<std::size_t>(j)]++ == 0) met.push_back(j);
      }
    }
    if (met.empty()) {
      similarity.column.push_back(i);
      similarity.value.push_back(1);
    }
    std::ranges::sort(met);
    for (const LabelId j : met) {
      const auto both =
          static_cast<double>(std::exchange(together[static_cast<std::size_t>(j)], 0));
      const auto sizes = static_cast<double>(positives[static_cast<std::size_t>(i)]) *
                         static_cast<double>(positives[static_cast<std::size_t>(j)]);
      similarity.column.push_back(j);
      similarity.value.push_back(i == j ? 1 : both / std::sqrt(sizes));
    }
    similarity.end_row();
  }
  return similarity;
}

TransferMatrix no_transfer(Index tasks) {
  TransferMatrix transfer;
  transfer.mbar.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    transfer.mbar.column.push_back(static_cast<LabelId>(i));
    transfer.mbar.value.push_back(1);
    transfer.mbar.end_row();
  }
  transfer.reversing_weights.assign(static_cast<std::size_t>(tasks), 1);
  transfer.spread = 0;
  return transfer;
}

TransferMatrix cosine_transfer(const BinaryMatrix& labels) {
  TransferMatrix transfer{.mbar = cosine_similarity(labels), .reversing_weights = {}, .spread = 1};
  auto& mbar = transfer.mbar;
  for (Index i = 0; i < mbar.rows(); ++i) {
    const auto row = mbar.row_values(i);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    transfer.reversing_weights.push_back(sum);
    const Index begin = mbar.row_start[static_cast<std::size_t>(i)];
    const Index end = mbar.row_start[static_cast<std::size_t>(i) + 1];
    for (Index k = begin; k < end; ++k) mbar.value[static_cast<std::size_t>(k)] /= sum;
  }
  return transfer;
}

}  // namespace mugrad
