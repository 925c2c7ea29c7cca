// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/csr.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/transfer/similarity.h>

#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// The T x T row-stochastic matrix Mbar of equation (5), sparse, and what is known of it.
struct TransferMatrix {
  CsrMatrix<double> mbar = {};
  /// r_i > 0 with r_i mbar_ij = r_j mbar_ji for all i, j. Empty: not reversible.
  std::vector<double> reversing_weights = {};
  /// If reversible, I - Mbar has its eigenvalues in [0, spread]: 0 for the identity, 1 when Mbar
  /// comes from a Gram matrix, else 2.
  double spread = 2;
};

/// Every task alone: the identity.
TransferMatrix no_transfer(Index tasks);

/// From non-negative similarities, each row divided by its sum; a row of zeros becomes that of
/// the identity. Throws UsageError naming the row and the value where one is negative or not
/// finite.
TransferMatrix transfer_from(const CsrMatrix<double>& similarity);
/// The same from a small dense matrix, which must be square: transfer_from({{1, 0.5}, {0.5, 1}}).
TransferMatrix transfer_from(const Matrix<double>& similarity);

/// From the labels that occur together; with `top`, from the strongest entries of each row alone.
TransferMatrix label_transfer(const BinaryMatrix& labels, Similarity similarity,
                              std::optional<Index> top = std::nullopt,
                              const BinaryMatrix* unknown = nullptr,
                              std::span<const double> row_weights = {});

/// A matrix that is row-stochastic already. Throws UsageError naming the row and the value where
/// it is not square of size `tasks`, an entry is negative or not finite, or a row does not sum to
/// one (within 1e-6).
TransferMatrix transfer_as_given(const CsrMatrix<double>& mbar, Index tasks);
/// The same from a small dense matrix: transfer_as_given({{0.9, 0.1}, {0.2, 0.8}}).
TransferMatrix transfer_as_given(const Matrix<double>& mbar);

/// One strength per task put into the matrix: tasks borrowing with strengths s_i under Mbar do
/// the same as all borrowing with max s_i under the result. Requires: one s_i >= 0 per task.
TransferMatrix with_strengths(const TransferMatrix& transfer, std::span<const double> strengths);

/// Weights r with r_i m_ij = r_j m_ji, found by following the entries; empty when there are none.
std::vector<double> reversing_weights_of(const CsrMatrix<double>& mbar);

}  // namespace mugrad
