// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// Labels, ascending.
using Labelset = std::vector<LabelId>;

/// All of so many.
Labelset every_label(Index labels);

/// How many sets of `size` of these labels there are, as far as a double can count.
double labelset_count(Index labels, Index size);

/// `count` different sets of `size` labels, all sets equally likely.
/// Requires: 0 < size <= labels; count is at most their number.
std::vector<Labelset> random_labelsets(Index labels, Index size, Index count, std::uint64_t seed);
/// The same with labels in as equally many sets as can be: each set has those labels that were
/// drawn least often so far. Every label is in a set if count * size >= labels.
std::vector<Labelset> balanced_labelsets(Index labels, Index size, Index count, std::uint64_t seed);
/// A random partition into sets of `size` labels and one of the rest; but a single label left over
/// joins the last set, as in Mulan. Requires: labels > 0, size > 0.
std::vector<Labelset> disjoint_labelsets(Index labels, Index size, std::uint64_t seed);

/// The combinations of a set's labels that examples have.
struct LabelsetClasses {
  BinaryMatrix classes;              ///< a row each, in lexicographic order
  std::vector<std::int32_t> of_row;  ///< which one each example has
};

LabelsetClasses classes_of(const BinaryMatrix& labels, std::span<const LabelId> set);

/// How many combinations of labels the examples have.
Index distinct_rows(const BinaryMatrix& labels);

}  // namespace mugrad
