// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <tuple>

namespace mugrad {

/// Identifies a file independently of the names and links that lead to it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// The part of the path that does not exist yet, below that folder.
  std::filesystem::path missing = {};

  bool operator==(const FileIdentity&) const = default;
  bool operator<(const FileIdentity& other) const {
    return std::tie(device, inode, missing) < std::tie(other.device, other.inode, other.missing);
  }
};

/// The identity of the file at the path, or of the file that would be created there. Empty unless
/// it is a regular file: devices and pipes may be opened any number of times.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);
/// The identity of an open file.
std::optional<FileIdentity> identity_of(int descriptor);

/// The identity of a pipe or socket that is read, which has its bytes only once, and of whatever
/// standard input ("-") is. Empty for a path to anything else.
std::optional<FileIdentity> stream_identity_of(const std::filesystem::path& path);

/// Whether the path names an open file by its number: /dev/stdout, /dev/fd/3.
bool names_open_file(const std::filesystem::path& path);

}  // namespace mugrad
