// SPDX-License-Identifier: MIT
#pragma once

#include "core/file_identity.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace mugrad::cli {

/// Every file that a command reads and writes, identified independently of names and links, so that
/// no file is both read and written, or written twice. A command declares its files before its
/// work. An empty path, of an option that was not given, is ignored.
class CommandFiles {
 public:
  /// Includes the file that standard output goes to, if it is one.
  CommandFiles();

  /// `as` is its name in messages: the option that names it. Throws UsageError if the command
  /// writes to it.
  void reads(const std::filesystem::path& path, std::string_view as);
  /// The same for data, which may also be standard input ("-"). Throws UsageError, too, if the
  /// command already reads this pipe or standard input: its bytes are there only once.
  void reads_input(const std::filesystem::path& path, std::string_view as);
  /// Throws UsageError if the command reads it, or writes something else to it.
  void writes(const std::filesystem::path& path, std::string_view as);

 private:
  struct Use {
    std::string as;
    bool is_written;
  };
  void reads(const std::optional<FileIdentity>& identity, const std::filesystem::path& path,
             std::string_view as);

  std::map<FileIdentity, Use> files_;
  std::set<FileIdentity> streams_;  ///< pipes that are read, and standard input
};

}  // namespace mugrad::cli
