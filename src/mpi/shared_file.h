// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace mugrad::mpi {

/// A file that all ranks write parts of, and that appears under its name when all are done. Until
/// then it has a hidden name beside the target, and is removed if a rank throws. If all are killed,
/// the next process that writes to the folder removes it. A symbolic link is kept and the file it
/// points to is replaced. The ranks must see the same folder.
class SharedFile {
 public:
  /// Every rank must call it. `among` must outlive it. Throws InputError, on all ranks if the first
  /// cannot create the file.
  SharedFile(const Communicator& among, std::filesystem::path target);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  /// Throws InputError naming the target and the reason.
  void write_at(Index offset, std::string_view bytes);
  /// Every rank must call it.
  void commit();

 private:
  /// Creates the file under an unused name; returns the reason on failure.
  std::string make();
  [[noreturn]] void fail(const std::string& reason) const;

  const Communicator& among_;
  std::filesystem::path target_;       ///< as given, for messages
  std::filesystem::path destination_;  ///< the file it leads to; known to the first rank
  std::filesystem::path temporary_;    ///< empty after the commit
  int descriptor_ = -1;
};

}  // namespace mugrad::mpi
