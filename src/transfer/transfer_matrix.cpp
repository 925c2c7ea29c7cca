// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

void check_entries(const CsrMatrix<double>& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    const auto columns = matrix.row_columns(i);
    const auto values = matrix.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (std::isfinite(values[k]) && values[k] >= 0) continue;
      throw UsageError(
          fmt::format("row {} of the transfer has {} in column {}; expected a number >= 0", i + 1,
                      values[k], columns[k] + 1));
    }
  }
}

double row_sum(const CsrMatrix<double>& matrix, Index row) {
  const auto values = matrix.row_values(row);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The matrix with a one on the diagonal of empty rows.
CsrMatrix<double> with_empty_rows_own(const CsrMatrix<double>& matrix) {
  CsrMatrix<double> result;
  result.cols = matrix.cols;
  const auto most = as_size(matrix.nonzeros() + matrix.rows());
  result.column.reserve(most);
  result.value.reserve(most);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const auto columns = matrix.row_columns(i);
    const auto values = matrix.row_values(i);
    if (row_sum(matrix, i) == 0) {
      result.column.push_back(static_cast<LabelId>(i));
      result.value.push_back(1);
    } else {
      result.column.insert(result.column.end(), columns.begin(), columns.end());
      result.value.insert(result.value.end(), values.begin(), values.end());
    }
    result.end_row();
  }
  return result;
}

CsrMatrix<double> as_sparse(const Matrix<double>& matrix) {
  if (matrix.rows() != matrix.cols()) {
    throw UsageError(fmt::format("the transfer is {} x {}; expected a row and a column per task",
                                 matrix.rows(), matrix.cols()));
  }
  CsrMatrix<double> result{.cols = matrix.cols()};
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (matrix(i, j) == 0) continue;
      result.column.push_back(static_cast<LabelId>(j));
      result.value.push_back(matrix(i, j));
    }
    result.end_row();
  }
  return result;
}

}  // namespace

std::vector<double> reversing_weights_of(const CsrMatrix<double>& mbar) {
  constexpr double kAgreement = 1e-9;
  std::vector<double> r(as_size(mbar.rows()), 0);
  std::vector<Index> reached;
  for (Index start = 0; start < mbar.rows(); ++start) {
    if (r[as_size(start)] != 0) continue;
    r[as_size(start)] = 1;
    reached.assign(1, start);
    while (!reached.empty()) {
      const Index i = reached.back();
      reached.pop_back();
      const auto columns = mbar.row_columns(i);
      const auto values = mbar.row_values(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const Index j = columns[k];
        if (values[k] == 0) continue;
        const double back = mbar.at(j, i);
        if (back == 0) return {};
        const double wanted = r[as_size(i)] * values[k] / back;
        double& has = r[as_size(j)];
        if (has == 0) {
          has = wanted;
          reached.push_back(j);
        } else if (std::fabs(has - wanted) > kAgreement * wanted) {
          return {};
        }
      }
    }
  }
  return r;
}

TransferMatrix no_transfer(Index tasks) {
  TransferMatrix transfer;
  transfer.mbar.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    transfer.mbar.column.push_back(static_cast<LabelId>(i));
    transfer.mbar.value.push_back(1);
    transfer.mbar.end_row();
  }
  transfer.reversing_weights.assign(as_size(tasks), 1);
  transfer.spread = 0;
  return transfer;
}

TransferMatrix transfer_from(const CsrMatrix<double>& similarity) {
  check_entries(similarity);
  TransferMatrix transfer{.mbar = with_empty_rows_own(similarity), .reversing_weights = {}};
  auto& mbar = transfer.mbar;
  for (Index i = 0; i < mbar.rows(); ++i) {
    const double sum = row_sum(mbar, i);
    const Index begin = mbar.row_start[as_size(i)];
    const Index end = mbar.row_start[as_size(i) + 1];
    for (Index k = begin; k < end; ++k) mbar.value[as_size(k)] /= sum;
  }
  transfer.reversing_weights = reversing_weights_of(mbar);
  return transfer;
}

TransferMatrix transfer_from(const Matrix<double>& similarity) {
  return transfer_from(as_sparse(similarity));
}

TransferMatrix transfer_as_given(const Matrix<double>& mbar) {
  return transfer_as_given(as_sparse(mbar), mbar.rows());
}

TransferMatrix label_transfer(const BinaryMatrix& labels, Similarity similarity,
                              std::optional<Index> top, const BinaryMatrix* unknown,
                              std::span<const double> row_weights) {
  if (similarity == Similarity::identity) return no_transfer(labels.cols);
  const auto all = label_similarity(labels, similarity, unknown, row_weights);
  if (top) return transfer_from(strongest_per_row(all, *top));
  auto transfer = transfer_from(all);
  // Cosines and counts of common examples are Gram matrices, and so is Jaccard's similarity (Gower
  // 1971); the positive part of a correlation need not be one. With unknown labels each pair has
  // its own examples, and nothing is a Gram matrix.
  if (similarity != Similarity::pearson && unknown == nullptr) transfer.spread = 1;
  return transfer;
}

TransferMatrix transfer_as_given(const CsrMatrix<double>& mbar, Index tasks) {
  if (mbar.rows() != tasks || mbar.cols != tasks) {
    throw UsageError(fmt::format("the transfer is {} x {}; expected {} x {}, a row per task",
                                 mbar.rows(), mbar.cols, tasks, tasks));
  }
  check_entries(mbar);
  constexpr double kTolerance = 1e-6;
  for (Index i = 0; i < tasks; ++i) {
    const double sum = row_sum(mbar, i);
    if (std::fabs(sum - 1) > kTolerance) {
      throw UsageError(fmt::format("row {} of the transfer sums to {}; expected 1", i + 1, sum));
    }
  }
  return transfer_from(mbar);
}

TransferMatrix with_strengths(const TransferMatrix& transfer, std::span<const double> strengths) {
  const double most = strengths.empty() ? 0 : std::ranges::max(strengths);
  if (most == 0) return no_transfer(transfer.mbar.rows());
  TransferMatrix result{.mbar = {}, .reversing_weights = {}, .spread = transfer.spread};
  result.mbar.cols = transfer.mbar.cols;
  for (Index i = 0; i < transfer.mbar.rows(); ++i) {
    const double share = strengths[as_size(i)] / most;
    const auto columns = transfer.mbar.row_columns(i);
    const auto values = transfer.mbar.row_values(i);
    // The diagonal takes the rest of the row; it may not be stored yet.
    bool own_put = false;
    const auto put_own = [&] {
      result.mbar.column.push_back(static_cast<LabelId>(i));
      result.mbar.value.push_back(1 - share * (1 - transfer.mbar.at(i, i)));
      own_put = true;
    };
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!own_put && columns[k] >= i) put_own();
      if (columns[k] == i || share == 0) continue;
      result.mbar.column.push_back(columns[k]);
      result.mbar.value.push_back(share * values[k]);
    }
    if (!own_put) put_own();
    result.mbar.end_row();
  }
  result.reversing_weights = reversing_weights_of(result.mbar);
  return result;
}

}  // namespace mugrad
