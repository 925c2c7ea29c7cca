// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad::testing {

/// The text as one gzip member.
std::string gzip(std::string_view text);
/// The text as one zstd frame, with a checksum.
std::string zstd(std::string_view text);
/// A zstd frame that decompressors skip.
std::string skipped_frame();

}  // namespace mugrad::testing
