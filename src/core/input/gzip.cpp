// SPDX-License-Identifier: MIT
#include "core/input/decompressor.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace mugrad {
namespace {

constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max();

class GzipDecompressor final : public Decompressor {
 public:
  GzipDecompressor() {
    constexpr int kGzipOnly = 16;  // added to the window bits; a checksum is verified
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecompressor() override { inflateEnd(&stream_); }
  GzipDecompressor(const GzipDecompressor&) = delete;
  GzipDecompressor& operator=(const GzipDecompressor&) = delete;

  Step run(std::string_view in, std::span<char> out) override {
    if (is_between_ && in.empty()) return {};
    if (is_between_) {
      inflateReset(&stream_);
      is_between_ = false;
    }
    const auto in_size = static_cast<uInt>(std::min(in.size(), kMostAtOnce));
    const auto out_size = static_cast<uInt>(std::min(out.size(), kMostAtOnce));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    Step step{.consumed = in_size - stream_.avail_in, .produced = out_size - stream_.avail_out};
    if (result == Z_STREAM_END) {
      is_between_ = true;
      has_member_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {  // the latter: no input, or no room
      step.problem = problem();
      if (step.problem == kTrailing) step.consumed = 0;  // the position of what follows
    }
    return step;
  }

  bool may_end() const noexcept override { return is_between_; }

 private:
  std::string_view problem() const {
    constexpr uLong kMagicBytes = 2;
    if (has_member_ && stream_.total_in <= kMagicBytes) return kTrailing;
    return stream_.msg == nullptr ? "invalid data" : stream_.msg;
  }

  z_stream stream_ = {};
  bool is_between_ = false;  ///< a member has ended, and no other has begun
  bool has_member_ = false;
};

bool begins_gzip(std::string_view head) noexcept {
  return head.starts_with("\x1f\x8b\x08");  // the method is always 8, deflate
}

}  // namespace

const Compression& gzip_compression() {
  static const Compression gzip = {.name = "gzip",
                                   .ending = ".gz",
                                   .begins = begins_gzip,
                                   .decompressor = []() -> std::unique_ptr<Decompressor> {
                                     return std::make_unique<GzipDecompressor>();
                                   }};
  return gzip;
}

}  // namespace mugrad
