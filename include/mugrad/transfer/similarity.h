// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/csr.h>

#include <span>
#include <string_view>

namespace mugrad {

/// How alike two labels are, from the examples they have: n_i have label i, n_ij have both.
enum class Similarity {
  cosine,       ///< n_ij / sqrt(n_i n_j), equation (15)
  jaccard,      ///< n_ij / (n_i + n_j - n_ij)
  conditional,  ///< P(j|i) = n_ij / n_i
  pearson,      ///< the correlation where it is positive, else 0
  identity,     ///< no label is like another: each is trained alone
};

std::string_view to_string(Similarity similarity);
/// Throws UsageError listing the names there are.
Similarity similarity_named(std::string_view name);

/// The T x T similarities, sparse; ones on the diagonal. A label without positives has no
/// direction: its row and column are zero but for the diagonal. With `unknown` (ones where it is
/// not known whether an example has a label) two labels are compared over the examples that know
/// both. Examples count as `row_weights` say, each >= 0; empty: once.
CsrMatrix<double> label_similarity(const BinaryMatrix& labels, Similarity similarity,
                                   const BinaryMatrix* unknown = nullptr,
                                   std::span<const double> row_weights = {});

/// Each row's diagonal and its k largest other entries; ties go to the lower label.
CsrMatrix<double> strongest_per_row(const CsrMatrix<double>& similarity, Index k);

}  // namespace mugrad
