// SPDX-License-Identifier: MIT
#pragma once

#include "core/descriptor.h"

#include <filesystem>
#include <string_view>

namespace mugrad {

/// A file without a name in the folder for temporary files: TMPDIR, or else /tmp. It is gone when
/// its last descriptor is closed, however the process ends.
class TemporaryFile {
 public:
  /// Throws InputError naming the folder.
  TemporaryFile();

  const std::filesystem::path& folder() const noexcept { return folder_; }
  /// Bytes that the folder's file system has left; infinite if unknown.
  double room() const noexcept;
  /// Appends the bytes. Throws InputError naming the folder.
  void write(std::string_view bytes);
  Descriptor take() && noexcept { return std::move(file_); }

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path folder_;
  Descriptor file_;
};

}  // namespace mugrad
