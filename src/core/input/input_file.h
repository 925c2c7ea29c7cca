// SPDX-License-Identifier: MIT
#pragma once

#include "core/input/live_text.h"
#include "core/mapped_file.h"
#include "core/stages.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace mugrad {

/// Bytes that are all there, or come.
struct InputBytes {
  std::unique_ptr<MappedFile> file = {};
  std::unique_ptr<LiveText> live = {};  ///< or null
};

/// The bytes of an input, which is a file, a pipe or standard input, and may be compressed (gzip or
/// zstd, recognised by the first bytes). A plain file is mapped; anything else is first copied to
/// an unnamed temporary file, decompressed, which is then mapped: readers go through the bytes more
/// than once. The temporary file is gone when this ends, or the process. A reader that goes through
/// the bytes once can have those of a pipe as they come.
class InputFile {
 public:
  /// Whether an input whose first line, and perhaps more, this is can be read as it comes.
  using LiveTest = std::function<bool(std::string_view head)>;

  /// Throws InputError naming the input and the reason: it cannot be read, is not validly
  /// compressed, or is larger than a temporary file may be (core/input/spool.h). Throws
  /// InterruptedError if `progress`, which may be null, asks for it. Requires: `progress` outlives
  /// this.
  /// Without a test, no input is read as it comes.
  explicit InputFile(const std::filesystem::path& path, Progress* progress = nullptr,
                     const LiveTest& may_be_live = {});

  const std::string& name() const noexcept { return name_; }
  /// Requires: it is not live.
  const MappedFile& file() const noexcept { return *bytes_.file; }
  /// Null if the input is not read as it comes.
  LiveText* live() const noexcept { return bytes_.live.get(); }
  /// What reading the bytes reports to: its share is that of the rest of the work, or of half of
  /// the work if the first half was decompressing.
  Progress* progress() noexcept { return &stages_; }

 private:
  std::string name_;
  Stages stages_;
  InputBytes bytes_;
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
