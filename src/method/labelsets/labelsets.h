// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/sparse_matrix.h>

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// Labels, ascending.
using Labelset = std::vector<LabelId>;

/// The set of all labels.
Labelset every_label(Index labels);

/// The number of sets of `size` of these labels, in the precision of a double.
double labelset_count(Index labels, Index size);

/// `count` different sets of `size` labels, all sets equally likely.
/// Requires: 0 < size <= labels; count is at most their number.
std::vector<Labelset> random_labelsets(Index labels, Index size, Index count, std::uint64_t seed);
/// The same with each label in about equally many sets: each set has the labels drawn least often
/// so far. Every label is in a set if count * size >= labels.
std::vector<Labelset> balanced_labelsets(Index labels, Index size, Index count, std::uint64_t seed);
/// A random partition into sets of `size` labels and one of the rest; a single remaining label
/// joins the last set, as in Mulan. Requires: labels > 0, size > 0.
std::vector<Labelset> disjoint_labelsets(Index labels, Index size, std::uint64_t seed);

/// The combinations of a set's labels that occur.
struct LabelsetClasses {
  BinaryMatrix classes;              ///< one row each, in lexicographic order
  std::vector<std::int32_t> of_row;  ///< the combination of each example
};

LabelsetClasses classes_of(const BinaryMatrix& labels, std::span<const LabelId> set);

/// The number of label combinations that occur.
Index distinct_rows(const BinaryMatrix& labels);

}  // namespace mugrad
