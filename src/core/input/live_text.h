// SPDX-License-Identifier: MIT
#pragma once

#include "core/input/byte_stream.h"

#include <memory>
#include <string_view>

namespace mugrad {

/// The bytes of a pipe as they come, without a temporary file. What has come keeps its address
/// while more is read behind it, because addresses for all are reserved at first; memory is only
/// used for bytes that were not released.
class LiveText {
 public:
  /// Takes the stream and its first bytes; null, and the stream unchanged, if the system does not
  /// allow to reserve the addresses.
  static std::unique_ptr<LiveText> of(ByteStream&& stream);
  ~LiveText();
  LiveText(const LiveText&) = delete;
  LiveText& operator=(const LiveText&) = delete;

  std::string_view bytes() const noexcept { return {begin_, size_}; }
  /// Waits for more bytes; returns false at the end. Throws as ByteStream::next() does, and
  /// InputError if too many bytes were not released.
  bool grow();
  /// Whether grow() returns without waiting.
  bool is_ready() const { return stream_.is_ready(); }
  /// Releases the memory of the bytes before `at`, which read as zeros from then on.
  void release_before(const char* at) noexcept;

 private:
  LiveText(ByteStream&& stream, char* begin) noexcept : stream_(std::move(stream)), begin_(begin) {}
  void allow_writing(std::size_t size);

  ByteStream stream_;
  char* begin_;
  std::size_t size_ = 0;
  std::size_t writable_ = 0;  ///< bytes from the beginning; released ones are no longer writable
  std::size_t released_ = 0;
};

}  // namespace mugrad
