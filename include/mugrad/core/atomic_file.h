// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mugrad {

/// A file that appears whole or not at all. What is written goes to a nameless temporary file in
/// the target's folder (a hidden named one where the file system has no nameless ones); commit()
/// syncs it and gives it its name in one step. Without commit() nothing is left behind; a
/// nameless file vanishes also when the process is killed, and a hidden one that a killed process
/// has left is removed by the next that writes to the folder. A symbolic link stays and the file it
/// points to is replaced. A target that exists and is no regular file (a pipe, a device) is written
/// to directly; an open file of this process (/dev/stdout, /dev/fd/3) where it stands.
class AtomicFile {
 public:
  /// Throws InputError when the folder cannot be written to.
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. Throws InputError naming the target and the reason (a full disk, for instance).
  void write(std::string_view bytes);
  /// Makes the file appear under its name, replacing one that is there.
  void commit();

 private:
  void open_temporary();
  void open_directly(int known_as);
  void write_through(std::string_view bytes);
  void flush();
  void give_name();
  void discard() noexcept;
  [[noreturn]] void fail(const std::string& reason);

  std::filesystem::path target_;       ///< as given; what messages name
  std::filesystem::path destination_;  ///< the file target_ leads to, links followed
  std::filesystem::path temporary_;    ///< empty while the file has no name
  std::string buffer_;
  int descriptor_ = -1;
  bool direct_ = false;
};

}  // namespace mugrad
