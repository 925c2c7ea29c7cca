// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace mugrad {

class MappingGuard;

/// The bytes of a file, memory-mapped read-only where the file can be mapped and read into memory
/// where it cannot (a pipe).
class MappedFile {
 public:
  /// Throws InputError naming the path and the reason.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Bytes that the file has lost since it was opened read as zeros.
  std::string_view bytes() const noexcept { return bytes_; }
  /// Gives back the memory of the bytes before `at`, which are read from the file again should
  /// they be wanted again. Does nothing for a file that was read into memory.
  void release_before(const char* at) const noexcept;

  /// Throws InputError when the file has become shorter since it was opened, or its disk has
  /// failed: what was made of bytes() until now is worth nothing then.
  void require_whole() const;
  /// The result of read(), which looks at bytes(). Whatever that gave or threw, throws as
  /// require_whole() does.
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

  std::filesystem::path path_;
  std::string_view bytes_;
  std::string copy_;                     ///< used when the file cannot be mapped
  std::unique_ptr<MappingGuard> guard_;  ///< used when it can
  int descriptor_ = -1;
};

}  // namespace mugrad
