// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mugrad {

/// A file that appears completely or not at all. Data goes to an unnamed temporary file in the
/// target's folder, or to a hidden named one if the file system has no unnamed files. commit()
/// syncs it and names it in one step. Without commit() nothing is left behind: an unnamed file
/// vanishes even if the process is killed, and a hidden one is removed by the next process that
/// writes to the folder. A symbolic link is kept and the file it points to is replaced. An existing
/// target that is not a regular file (a pipe, a device) is written directly; an open file of this
/// process (/dev/stdout, /dev/fd/3) is written at its current position.
class AtomicFile {
 public:
  /// Throws InputError if the folder is not writable.
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. Throws InputError naming the target and the reason, such as a full disk.
  void write(std::string_view bytes);
  /// Makes the file appear under its name, replacing an existing one.
  void commit();

 private:
  void open_temporary();
  void open_directly(int known_as);
  void write_through(std::string_view bytes);
  void flush();
  void give_name();
  void discard() noexcept;
  [[noreturn]] void fail(const std::string& reason);

  std::filesystem::path target_;       ///< as given, for messages
  std::filesystem::path destination_;  ///< the file behind target_, links resolved
  std::filesystem::path temporary_;    ///< empty while the file is unnamed
  std::string buffer_;
  int descriptor_ = -1;
  bool direct_ = false;
};

/// Writes a file whole or not at all. Throws InputError.
void write_file(const std::filesystem::path& target, std::string_view bytes);

}  // namespace mugrad
