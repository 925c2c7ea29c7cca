// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <filesystem>
#include <string_view>

namespace mugrad::mpi {

/// A file that all ranks write parts of, and that appears under its name when all are done. Until
/// then it has a hidden name beside the target, which a run that is killed leaves behind and the
/// next one takes over. The ranks must see the same folder.
class SharedFile {
 public:
  /// Every rank must call it. `among` must outlive it. Throws InputError.
  SharedFile(const Communicator& among, std::filesystem::path target);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  /// Throws InputError naming the target and the reason.
  void write_at(Index offset, std::string_view bytes);
  /// Every rank must call it.
  void commit();

 private:
  [[noreturn]] void fail() const;

  const Communicator& among_;
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

}  // namespace mugrad::mpi
