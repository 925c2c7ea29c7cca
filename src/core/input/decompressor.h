// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace mugrad {

/// Decompresses a stream, which may consist of several complete ones, a piece at a time.
class Decompressor {
 public:
  struct Step {
    std::size_t consumed = 0, produced = 0;  ///< bytes
    std::string_view problem = {};           ///< the reason if the stream is invalid; else empty
  };
  /// For Step::problem.
  static constexpr std::string_view kTrailing =
      "what follows the end of the compressed data is something else";

  virtual ~Decompressor() = default;
  /// Decompresses some of `in` to the beginning of `out`. If it fills `out`, there may be more to
  /// come without further input. Throws std::bad_alloc. Requires: `out` is not empty.
  virtual Step run(std::string_view in, std::span<char> out) = 0;
  /// Whether the stream may end here.
  virtual bool may_end() const noexcept = 0;
};

/// A format of compressed files: how it is recognised and read. Each defines its own;
/// decompressor.cpp lists them all.
struct Compression {
  std::string_view name = {};    ///< for messages: "gzip"
  std::string_view ending = {};  ///< of file names, in lower case: ".gz"
  /// Whether a file that begins like this is compressed so. Requires: kHeadBytes bytes, or all.
  bool (*begins)(std::string_view head) noexcept = nullptr;
  std::unique_ptr<Decompressor> (*decompressor)() = nullptr;
};

/// The number of first bytes by which all formats are recognised.
inline constexpr std::size_t kHeadBytes = 4;

std::span<const Compression* const> compressions();
/// The format of a file that begins like this; null: it is not compressed.
const Compression* compression_of(std::string_view head) noexcept;

// The formats, each in its own file.

/// RFC 1952; members follow each other.
const Compression& gzip_compression();
/// RFC 8878; frames follow each other, and some of them may be skipped.
const Compression& zstd_compression();

}  // namespace mugrad
