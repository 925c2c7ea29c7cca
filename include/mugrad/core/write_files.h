// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace mugrad {

/// The content of a file, and its name in a folder.
struct FileContent {
  std::filesystem::path name = {};
  std::string content = {};
};

/// Writes files into a folder, which is created with its parents where it is missing. All are
/// written before the first appears, and each appears whole (AtomicFile). Removes the folders that
/// it created and that are empty in the end: a failure leaves no folder, and a call without files
/// only checks that the folder can be created. Throws InputError.
void write_files(const std::filesystem::path& folder, std::span<const FileContent> files);

}  // namespace mugrad
