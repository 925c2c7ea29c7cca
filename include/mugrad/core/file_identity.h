// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <tuple>

namespace mugrad {

/// Tells files apart, whatever names and links lead to them.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::filesystem::path missing = {};  ///< what of the path is not there yet, below that folder

  bool operator==(const FileIdentity&) const = default;
  bool operator<(const FileIdentity& other) const {
    return std::tie(device, inode, missing) < std::tie(other.device, other.inode, other.missing);
  }
};

/// Of the file that the path leads to, or that would be made under it. None when it is no regular
/// file: a device or a pipe may be opened as often as one likes.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);
/// Of an open file.
std::optional<FileIdentity> identity_of(int descriptor);

/// Whether the path names an open file by its number: /dev/stdout, /dev/fd/3.
bool names_open_file(const std::filesystem::path& path);

}  // namespace mugrad
