// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/csr.h>

#include <cstdint>
#include <vector>

namespace mugrad::mpi {

/// Labels that are solved together, and where. Groups follow from the labels and their relations
/// alone, never from the number of ranks; which rank has a group changes what is sent, and nothing
/// else.
struct Groups {
  std::vector<std::vector<LabelId>> members;  ///< ascending in each
  std::vector<std::int32_t> of_label;

  Index count() const noexcept { return std::ssize(members); }
};

/// So many labels a group has, about: enough groups for small sets to be shared, and no more
/// labels in one than a pass serves at once.
Index group_size(Index labels);

/// Related labels together (METIS, with a fixed seed). `relations` is T x T.
Groups group_labels(const CsrMatrix<double>& relations);
/// From the group of each label.
Groups groups_from(std::vector<std::int32_t> of_label);

/// Labels in their order, where all are related.
Groups groups_in_order(Index labels);

/// The rank of each group: about as many labels on each, and related ones on the same (METIS).
std::vector<std::int32_t> place_groups(const Groups& groups, const CsrMatrix<double>& relations,
                                       int ranks);

/// The same in the order of the groups.
std::vector<std::int32_t> place_in_order(const Groups& groups, int ranks);

/// How many columns of weights all ranks together receive in one exchange, when label i is on rank
/// rank_of_label[i]: of each rank, the labels elsewhere that any of its own borrows from.
Index received_columns(const CsrMatrix<double>& relations,
                       const std::vector<std::int32_t>& rank_of_label);

}  // namespace mugrad::mpi
