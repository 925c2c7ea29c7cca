// SPDX-License-Identifier: MIT
#include "core/input/decompressor.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <new>

namespace mugrad {
namespace {

class ZstdDecompressor final : public Decompressor {
 public:
  ZstdDecompressor() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    // 128 MiB, the most that the zstd program allows unless it is told otherwise.
    constexpr int kWindowBits = 27;
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kWindowBits);
  }

  Step run(std::string_view in, std::span<char> out) override {
    if (is_between_ && in.empty()) return {};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(stream_.get(), &to, &from);
    Step step{.consumed = from.pos, .produced = to.pos};
    if (ZSTD_isError(result) != 0) {
      step.problem = problem(result);
    } else if (result == 0) {
      is_between_ = true;
      has_frame_ = true;
    } else if (step.consumed > 0 || step.produced > 0) {
      is_between_ = false;
    }
    return step;
  }

  bool may_end() const noexcept override { return is_between_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };

  std::string_view problem(std::size_t result) const {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_prefix_unknown:
        if (has_frame_) return kTrailing;
        break;
      case ZSTD_error_frameParameter_windowTooLarge:
        return "it needs more than 128 MiB of memory; compress it with a smaller window";
      default:
        break;
    }
    return ZSTD_getErrorName(result);
  }

  std::unique_ptr<ZSTD_DStream, Free> stream_;
  bool is_between_ = false;  ///< a frame has ended, and no other has begun
  bool has_frame_ = false;
};

/// A frame of data, or one of the sixteen kinds that are skipped: parallel compressors begin with
/// one.
bool begins_zstd(std::string_view head) noexcept {
  if (head.starts_with("\x28\xB5\x2F\xFD")) return true;
  return head.size() >= kHeadBytes && (static_cast<unsigned char>(head[0]) & 0xF0U) == 0x50U &&
         head.substr(1).starts_with("\x2A\x4D\x18");
}

}  // namespace

const Compression& zstd_compression() {
  static const Compression zstd = {.name = "zstd",
                                   .ending = ".zst",
                                   .begins = begins_zstd,
                                   .decompressor = []() -> std::unique_ptr<Decompressor> {
                                     return std::make_unique<ZstdDecompressor>();
                                   }};
  return zstd;
}

}  // namespace mugrad
