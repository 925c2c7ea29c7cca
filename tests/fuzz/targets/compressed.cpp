// SPDX-License-Identifier: MIT
#include "core/input/decompressor.h"
#include "core/input/input_file.h"
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace mugrad::fuzz {
namespace {

/// The text of a valid stream that comes a few bytes at a time.
std::string in_pieces(std::string_view stream, const Compression& compression) {
  constexpr std::size_t kIn = 3;
  const auto decompressor = compression.decompressor();
  std::vector<char> out(1000);
  std::string text;
  while (!stream.empty()) {
    std::string_view in = stream.substr(0, kIn);
    stream.remove_prefix(in.size());
    bool has_more = false;
    while (!in.empty() || has_more) {
      const auto step = decompressor->run(in, out);
      require(step.problem.empty(), "a stream is invalid in pieces");
      in.remove_prefix(step.consumed);
      text.append(out.data(), step.produced);
      has_more = step.produced == out.size();
    }
  }
  require(decompressor->may_end(), "a stream is incomplete in pieces");
  return text;
}

}  // namespace

void compressed(std::string_view input) {
  static const int limited = setenv("MUGRAD_TEMPORARY_LIMIT", "1MB", 1);
  require(limited == 0, "the limit cannot be set");
  const auto path = file_of("compressed", input);
  std::string bytes;
  const bool is_read = accepted([&] { bytes = InputFile(path).file().bytes(); });
  if (!is_read) return;
  const Compression* const compression = compression_of(input);
  if (compression == nullptr) return require(bytes == input, "a plain file is read as another");
  require(bytes.size() <= 1'000'000, "more is decompressed than the limit");
  require(bytes == in_pieces(input, *compression), "a stream gives another text in pieces");
}

}  // namespace mugrad::fuzz
