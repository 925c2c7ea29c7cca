// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// The steps of a softmax over blocks of scores, vectorised. The scores of a row may be in several
/// blocks: each step is done for all of them before the next.
///
/// Scores are in `rows` rows of `width` entries, of which the first `columns` are filled. Requires:
/// width is a multiple of kLine<Real>; z starts on a cache line.

/// largest[row] = max(largest[row], the scores of the row).
void raise_to_largest(Index rows, Index width, Index columns, const float* z,
                      float* largest) noexcept;
void raise_to_largest(Index rows, Index width, Index columns, const double* z,
                      double* largest) noexcept;

/// z = exp(z - largest[row]), 0 in the padding; adds the sum of each row to totals[row]. Requires:
/// no score exceeds largest[row]. NaN stays NaN.
void exponentials(Index rows, Index width, Index columns, const float* largest, float* z,
                  double* totals) noexcept;
void exponentials(Index rows, Index width, Index columns, const double* largest, double* z,
                  double* totals) noexcept;

/// z *= factors[row].
void scale_rows(Index rows, Index width, const float* factors, float* z) noexcept;
void scale_rows(Index rows, Index width, const double* factors, double* z) noexcept;

/// For residuals r = p - [the class of the row is this column], adds the column sums of p (1 - p) =
/// |r| (1 - |r|) to curvatures.
void add_softmax_curvatures(Index rows, Index width, const float* residuals,
                            double* curvatures) noexcept;
void add_softmax_curvatures(Index rows, Index width, const double* residuals,
                            double* curvatures) noexcept;

}  // namespace mugrad
