// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mugrad {

/// The bytes of a file, memory-mapped read-only where the file can be mapped and read into memory
/// where it cannot (a pipe).
class MappedFile {
 public:
  /// Throws InputError naming the path and the reason.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const noexcept { return bytes_; }
  /// Gives back the memory of the bytes before `at`, which are read from the file again should
  /// they be wanted again. Does nothing for a file that was read into memory.
  void release_before(const char* at) const noexcept;

 private:
  std::string_view bytes_;
  std::string copy_;  ///< used when the file cannot be mapped
  bool mapped_ = false;
};

}  // namespace mugrad
