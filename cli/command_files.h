// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/file_identity.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace mugrad::cli {

/// Every file that a command reads and writes, so that none is written that is read as well, or
/// written as something else: whatever names and links lead to it. A command says before its work
/// which files these are. An empty path is that of an option that was not given, and no file.
class CommandFiles {
 public:
  /// With the file that standard output goes to, if it is one.
  CommandFiles();

  /// `as` is how messages call it: the option that names it. Throws UsageError when the command
  /// writes to it.
  void reads(const std::filesystem::path& path, std::string_view as);
  /// Throws UsageError when the command reads it, or writes something else to it.
  void writes(const std::filesystem::path& path, std::string_view as);

 private:
  struct Use {
    std::string as;
    bool is_written;
  };
  std::map<FileIdentity, Use> files_;
};

}  // namespace mugrad::cli
