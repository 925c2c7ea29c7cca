// SPDX-License-Identifier: MIT
#include "core/input/decompressor.h"

#include <array>

namespace mugrad {

std::span<const Compression* const> compressions() {
  static const std::array all = {&gzip_compression(), &zstd_compression()};
  return all;
}

const Compression* compression_of(std::string_view head) noexcept {
  for (const Compression* const compression : compressions()) {
    if (compression->begins(head)) return compression;
  }
  return nullptr;
}

}  // namespace mugrad
