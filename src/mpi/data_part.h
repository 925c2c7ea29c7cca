// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/data/files.h>

#include <filesystem>

namespace mugrad::mpi {

/// What one rank has of the data.
struct DataPart {
  Dataset data;  ///< its rows; names and widths are those of all
  /// All rows, in the order of the ranks' parts, with their labels and without features.
  Dataset whole;
  Index first_row = 0;  ///< of this part, in that order
};

/// Reads this rank's part of the rows, which are dealt out in small blocks; lines of others are
/// passed over without being looked at where the format allows. Labels are few beside features:
/// all ranks learn those of all rows. Every rank must call it. Throws InputError as read_dataset
/// does, UsageError when there are fewer blocks than ranks.
DataPart read_part(const Communicator& rows, const std::filesystem::path& path,
                   const ReadOptions& options);

}  // namespace mugrad::mpi
