// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/data/files.h>
#include <mugrad/data/splits.h>

#include <filesystem>
#include <vector>

namespace mugrad::mpi {

/// The data of one rank.
struct DataPart {
  Dataset data;  ///< its rows; names and widths are those of all rows
  /// All rows, in the order of the ranks' parts, with labels and without features.
  Dataset whole;
  std::vector<Index> starts = {};  ///< the first row of each part in that order, then all rows
  std::size_t number = 0;          ///< of this part
  /// For each row of the file, its place in that order; empty: the same.
  std::vector<Index> order = {};

  Index first_row() const noexcept { return starts[number]; }
};

/// Reads this rank's part of the rows, which are distributed in small blocks; lines of other ranks
/// are skipped without parsing if the format allows. Labels are small compared with features, so
/// all ranks get those of all rows. Every rank must call it. Throws InputError as read_dataset
/// does, and UsageError if there are fewer blocks than ranks.
DataPart read_part(const Communicator& rows, const std::filesystem::path& path,
                   const ReadOptions& options);

/// Discards the features, and the labels of all ranks, when they are no longer needed; names and
/// widths stay.
void release_rows(DataPart& part);

/// A part of the examples to train on, and the rest.
struct Fold {
  DataPart training;
  std::vector<Index> held_out;         ///< rows of the given part
  std::vector<Index> held_out_places;  ///< of all ranks' held-out rows, in the order of the parts
  Index first_held_out = 0;            ///< the position of this rank's first among these
};

/// The fold of a split of the file's rows.
Fold fold_of(const DataPart& part, const SplitRows& rows);
/// Whether every rank has training rows in this split.
bool all_have_rows(const DataPart& part, const SplitRows& rows);

}  // namespace mugrad::mpi
