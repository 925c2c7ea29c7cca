// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/representation.h>
#include <mugrad/linalg/features.h>

#include <span>
#include <vector>

namespace mugrad {

/// Sets what follows from the weight of the rows that have each feature: the weights of terms and
/// the lengths of rows and texts. Requires: kind, mean and deviation are set.
void set_lengths(const std::vector<double>& present, double rows,
                 std::span<const TermBlock> term_blocks, double text_weight,
                 Representation& representation);

/// A representation of some rows in other columns. Column k is column from[k] of `before`, or new
/// if that is negative; new columns were 0 in all `rows_before` rows.
struct MovedColumns {
  std::span<const Index> from;
  std::span<const TermBlock> term_blocks;  ///< of the new columns
  double rows_before = 0;
};
Representation moved(const Representation& before, const MovedColumns& columns);

/// Sets the weights and statistics of the columns listed to those in `rows_before` rows without
/// them and the rows of `x`. Everything else stays.
void set_statistics_of(std::span<const Index> columns, double rows_before, const Features& x,
                       std::span<const double> row_weights, Representation& representation);

/// The representation of `rows_before` rows together with those of `x`. The numbers of rows with
/// each term follow from `before`; they are exact if its weights are those of `rows_before` rows.
Representation updated(const Representation& before, double rows_before, const Features& x,
                       std::span<const double> row_weights, double text_weight = 1);

}  // namespace mugrad
