// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/data/files.h>

#include <filesystem>

namespace mugrad::mpi {

/// The data of one rank.
struct DataPart {
  Dataset data;  ///< its rows; names and widths are those of all rows
  /// All rows, in the order of the ranks' parts, with labels and without features.
  Dataset whole;
  Index first_row = 0;  ///< of this part, in that order
};

/// Reads this rank's part of the rows, which are distributed in small blocks; lines of other ranks
/// are skipped without parsing if the format allows. Labels are small compared with features, so
/// all ranks get those of all rows. Every rank must call it. Throws InputError as read_dataset
/// does, and UsageError if there are fewer blocks than ranks.
DataPart read_part(const Communicator& rows, const std::filesystem::path& path,
                   const ReadOptions& options);

}  // namespace mugrad::mpi
