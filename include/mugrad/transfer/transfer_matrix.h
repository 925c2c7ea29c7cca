// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

/// Similarity of two labels. The first ones count examples: n_i have label i, n_ij have both. The
/// learned ones, last, come from models of the labels trained alone.
enum class Similarity {
  cosine,       ///< n_ij / sqrt(n_i n_j), equation (15)
  jaccard,      ///< n_ij / (n_i + n_j - n_ij)
  conditional,  ///< P(j|i) = n_ij / n_i
  pearson,      ///< the correlation if it is positive, else 0
  identity,     ///< no similarity: each label is trained alone
  weights,      ///< the cosine of the weights, without intercepts, if it is positive
  predicted,    ///< the correlation of out-of-fold probabilities, if it is positive
};

/// Whether the similarity comes from trained models rather than from the labels themselves.
bool is_learned(Similarity similarity) noexcept;
/// How many similar labels a label borrows from by default, if the similarity is learned.
inline constexpr Index kLearnedNeighbours = 10;

std::string_view to_string(Similarity similarity);
/// Throws UsageError listing the valid names.
Similarity similarity_named(std::string_view name);

/// The T x T similarities, sparse, with ones on the diagonal. Requires: not learned. The row and
/// column of a label without positives are zero except for the diagonal. With `unknown` (ones where
/// a label of an example is unknown), two labels are compared over the examples where both are
/// known. `row_weights` are >= 0; empty: all 1.
CsrMatrix<double> label_similarity(const BinaryMatrix& labels, Similarity similarity,
                                   const BinaryMatrix* unknown = nullptr,
                                   std::span<const double> row_weights = {});

/// The diagonal and the k largest other entries of each row; ties go to the lower label.
CsrMatrix<double> strongest_per_row(const CsrMatrix<double>& similarity, Index k);

/// The sparse T x T row-stochastic matrix Mbar of equation (5), and its known properties.
struct TransferMatrix {
  CsrMatrix<double> mbar = {};
  /// r_i > 0 with r_i mbar_ij = r_j mbar_ji for all i, j. Empty: not reversible.
  std::vector<double> reversing_weights = {};
  /// If reversible, the eigenvalues of I - Mbar are in [0, spread]: 0 for the identity, 1 if Mbar
  /// comes from a Gram matrix, else 2.
  double spread = 2;
};

/// The identity: every task alone.
TransferMatrix no_transfer(Index tasks);

/// Divides each row of non-negative similarities by its sum; a zero row becomes that of the
/// identity. Throws UsageError naming the row and the value if one is negative or not finite.
TransferMatrix transfer_from(const CsrMatrix<double>& similarity);
/// The same from a small dense matrix, which must be square: transfer_from({{1, 0.5}, {0.5, 1}}).
TransferMatrix transfer_from(const Matrix<double>& similarity);

/// From co-occurring labels; with `top`, only from the strongest entries of each row.
TransferMatrix label_transfer(const BinaryMatrix& labels, Similarity similarity,
                              std::optional<Index> top = std::nullopt,
                              const BinaryMatrix* unknown = nullptr,
                              std::span<const double> row_weights = {});

/// A matrix that is already row-stochastic. Throws UsageError naming the row and the value if the
/// matrix is not `tasks` x `tasks`, an entry is negative or not finite, or a row does not sum to
/// one (within 1e-6).
TransferMatrix transfer_as_given(const CsrMatrix<double>& mbar, Index tasks);
/// The same from a small dense matrix: transfer_as_given({{0.9, 0.1}, {0.2, 0.8}}).
TransferMatrix transfer_as_given(const Matrix<double>& mbar);

/// Includes one strength per task in the matrix: borrowing with strengths s_i under Mbar equals
/// borrowing with max s_i under the result. Requires: one s_i >= 0 per task.
TransferMatrix with_strengths(const TransferMatrix& transfer, std::span<const double> strengths);

/// Weights r with r_i m_ij = r_j m_ji, found by following the entries; empty if there are none.
std::vector<double> reversing_weights_of(const CsrMatrix<double>& mbar);

}  // namespace mugrad
