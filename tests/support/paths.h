// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace mugrad::testing {

/// A file or folder of the repository, by its path from the root.
std::filesystem::path in_repository(const std::filesystem::path& path);

/// The mugrad program of this build.
std::string program_path();

}  // namespace mugrad::testing
