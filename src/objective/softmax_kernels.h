// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// The steps of a softmax over blocks of scores, many at a time. The scores of a row may lie in
/// several blocks: each step is taken for all of them before the next.
///
/// Scores lie in `rows` rows of `width` entries, of which the first `columns` are filled. Requires:
/// width is a multiple of kLine<Real>; z starts on a cache line.

/// largest[row] is raised to the largest score of the row.
void raise_to_largest(Index rows, Index width, Index columns, const float* z,
                      float* largest) noexcept;
void raise_to_largest(Index rows, Index width, Index columns, const double* z,
                      double* largest) noexcept;

/// z = exp(z - largest[row]), 0 where nothing is filled; what a row sums to is added to
/// totals[row]. Requires: no score is larger than largest[row]. What is not a number stays so.
void exponentials(Index rows, Index width, Index columns, const float* largest, float* z,
                  double* totals) noexcept;
void exponentials(Index rows, Index width, Index columns, const double* largest, double* z,
                  double* totals) noexcept;

/// z *= factors[row].
void scale_rows(Index rows, Index width, const float* factors, float* z) noexcept;
void scale_rows(Index rows, Index width, const double* factors, double* z) noexcept;

/// With residuals r = p - [the class of the row is this column], adds to each column's entry of
/// bends what p (1 - p) = |r| (1 - |r|) sums to.
void add_softmax_bends(Index rows, Index width, const float* residuals, double* bends) noexcept;
void add_softmax_bends(Index rows, Index width, const double* residuals, double* bends) noexcept;

}  // namespace mugrad
