// SPDX-License-Identifier: MIT
#pragma once

#include "core/descriptor.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace mugrad {

class MappingGuard;

/// The bytes of a file: memory-mapped read-only if possible, otherwise (a pipe) read into memory.
class MappedFile {
 public:
  /// Throws InputError naming the path and the reason.
  explicit MappedFile(const std::filesystem::path& path);
  /// The whole of an open regular file, or the rest of a pipe, which messages call `name`.
  MappedFile(Descriptor file, std::string name);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Bytes that the file has lost since it was opened read as zeros.
  std::string_view bytes() const noexcept { return bytes_; }
  /// Releases the memory of the bytes before `at`; they are read from the file again if accessed.
  /// Does nothing for a file that was read into memory.
  void release_before(const char* at) const noexcept;

  /// Throws InputError if the file was truncated since it was opened, or its disk has failed: all
  /// results from bytes() are then invalid.
  void require_whole() const;
  /// Returns the result of read(), which uses bytes(). Throws as require_whole() does, whatever
  /// read() returned or threw.
  template <class Read>
  auto while_whole(Read&& read) const {
    try {
      if constexpr (std::is_void_v<decltype(read())>) {
        read();
        require_whole();
      } else {
        auto result = read();
        require_whole();
        return result;
      }
    } catch (...) {
      require_whole();
      throw;
    }
  }

 private:
  void map(std::size_t size);

  Descriptor file_;
  std::string name_;
  std::string_view bytes_;
  std::string copy_;                     ///< used if the file cannot be mapped
  std::unique_ptr<MappingGuard> guard_;  ///< used if it can
};

}  // namespace mugrad
