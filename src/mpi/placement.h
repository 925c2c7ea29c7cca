// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/sparse_matrix.h>

#include <cstdint>
#include <vector>

namespace mugrad::mpi {

/// Labels that are solved together, and their ranks. Groups depend only on the labels and their
/// relations, never on the number of ranks. The rank of a group affects only communication.
struct Groups {
  std::vector<std::vector<LabelId>> members;  ///< each ascending
  std::vector<std::int32_t> of_label;

  Index count() const noexcept { return std::ssize(members); }
};

/// The approximate number of labels per group: enough groups to distribute small data sets, and no
/// more labels in one than a single pass handles.
Index group_size(Index labels);

/// Groups of related labels (METIS, with a fixed seed). `relations` is T x T.
Groups group_labels(const CsrMatrix<double>& relations);
/// Groups from the group number of each label.
Groups groups_from(std::vector<std::int32_t> of_label);

/// Groups of consecutive labels, for when all are related.
Groups groups_in_order(Index labels);

/// The rank of each group, balanced by labels, with related groups on the same rank (METIS).
std::vector<std::int32_t> place_groups(const Groups& groups, const CsrMatrix<double>& relations,
                                       int ranks);

/// The same in the order of the groups.
std::vector<std::int32_t> place_in_order(const Groups& groups, int ranks);

/// The number of weight columns that all ranks together receive in one exchange, if label i is on
/// rank rank_of_label[i]: for each rank, the labels elsewhere that its own labels borrow from.
Index received_columns(const CsrMatrix<double>& relations,
                       const std::vector<std::int32_t>& rank_of_label);

}  // namespace mugrad::mpi
