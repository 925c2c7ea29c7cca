// SPDX-License-Identifier: MIT
#pragma once

#include "core/mapped_file.h"
#include "core/stages.h"

#include <filesystem>
#include <string>

namespace mugrad {

/// The bytes of an input, which is a file, a pipe or standard input, and may be compressed (gzip or
/// zstd, recognised by the first bytes). A plain file is mapped; anything else is first copied to
/// an unnamed temporary file, decompressed, which is then mapped: readers go through the bytes more
/// than once. The temporary file is gone when this ends, or the process.
class InputFile {
 public:
  /// Throws InputError naming the input and the reason: it cannot be read, is not validly
  /// compressed, or is larger than a temporary file may be (core/input/spool.h). Throws
  /// InterruptedError if `progress`, which may be null, asks for it. Requires: `progress` outlives
  /// this.
  explicit InputFile(const std::filesystem::path& path, Progress* progress = nullptr);

  const std::string& name() const noexcept { return name_; }
  const MappedFile& file() const noexcept { return file_; }
  /// What reading the bytes reports to: its share is that of the rest of the work, or of half of
  /// the work if the first half was decompressing.
  Progress* progress() noexcept { return &stages_; }

 private:
  std::string name_;
  Stages stages_;
  MappedFile file_;
};

/// While one exists, temporary copies of inputs are kept, so that opening an input again gives the
/// same bytes: pipes and standard input have them only once. For work that reads its data twice.
class KeptInputs {
 public:
  KeptInputs();
  ~KeptInputs();
  KeptInputs(const KeptInputs&) = delete;
  KeptInputs& operator=(const KeptInputs&) = delete;
};

}  // namespace mugrad
