// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/csr.h>

#include <vector>

namespace mugrad {

/// The T x T row-stochastic matrix Mbar of equation (5), sparse, and what is known of it.
struct TransferMatrix {
  CsrMatrix<double> mbar;
  /// r_i > 0 with r_i mbar_ij = r_j mbar_ji for all i, j. Empty: not reversible, as far as known.
  std::vector<double> reversing_weights;
  /// I - Mbar has its eigenvalues in [0, spread]: 0 for the identity, 1 when the similarity is a
  /// Gram matrix, else 2.
  double spread = 2;
};

/// Every task alone: the identity.
TransferMatrix no_transfer(Index tasks);

/// C_ij = cosine of label columns i and j, equation (15). A label without positives has no
/// direction: its row and column are zero but for a one on the diagonal.
CsrMatrix<double> cosine_similarity(const BinaryMatrix& labels);

/// Mbar from cosine similarity, each row divided by its sum.
TransferMatrix cosine_transfer(const BinaryMatrix& labels);

}  // namespace mugrad
