// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/transfer/transfer_matrix.h>

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad {

/// Reads a transfer matrix Mbar from a CSV file, for tasks of these names: either T lines of T
/// numbers, or the file that `mugrad info --relations` writes (label,borrows_from,strength),
/// where each label keeps for itself what it does not borrow. Throws InputError naming file and
/// line, or the row and the value that make it no row-stochastic matrix.
TransferMatrix read_transfer(const std::filesystem::path& path,
                             const std::vector<std::string>& names);

}  // namespace mugrad
