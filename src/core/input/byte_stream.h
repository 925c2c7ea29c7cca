// SPDX-License-Identifier: MIT
#pragma once

#include "core/descriptor.h"
#include "core/stages.h"

#include <mugrad/core/types.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Reads an open file from its current position to its end, once. That of a regular file does not
/// move, so that the file can be read again.
class ByteStream {
 public:
  /// `stages` is asked whether to go on while a pipe has no bytes. Requires: it outlives this.
  ByteStream(Descriptor file, std::string name, Stages& stages);

  const std::string& name() const noexcept { return name_; }
  /// The first bytes, at least `size` unless there are fewer; next() returns them again. Throws as
  /// next() does. Requires: next() was not called.
  std::string_view first(std::size_t size);
  /// The same up to the first newline, unless there is none in the first 256 KiB.
  std::string_view first_line();
  /// Whether next() returns without waiting.
  bool is_ready() const;
  /// The next bytes, valid until the next call; empty at the end. Throws InputError, and
  /// InterruptedError.
  std::string_view next();

  /// The number of bytes that next() has returned.
  Index taken() const noexcept { return taken_; }
  bool has_known_size() const noexcept { return size_ > 0; }
  /// The share of the file that next() has returned; 0 for a file of unknown size, such as a pipe.
  double share_taken() const noexcept;

 private:
  void wait_for_bytes();
  std::size_t read_into(std::span<char> to);
  /// Appends bytes to those that next() has not returned. Returns false at the end.
  bool fill();

  Descriptor file_;
  std::string name_;
  Stages& stages_;
  Index size_ = 0;  ///< from the current position to the end; 0: unknown
  Index taken_ = 0;
  bool is_regular_ = false;
  off_t position_ = 0;  ///< in a regular file
  std::vector<char> buffer_;
  std::size_t filled_ = 0;  ///< bytes of the buffer
};

}  // namespace mugrad
