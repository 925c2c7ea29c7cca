// SPDX-License-Identifier: MIT
#pragma once

#include "core/input/byte_stream.h"
#include "core/input/decompressor.h"

#include <string_view>

namespace mugrad {

/// The environment variable with the largest size of a temporary file, as "8GB".
inline constexpr const char* kSpoolLimitVariable = "MUGRAD_TEMPORARY_LIMIT";
/// The size where the variable is not set.
inline constexpr double kUsualSpoolLimit = 100e9;

/// Copies a stream to an unnamed temporary file, decompressed unless `compression` is null. Neither
/// what is read nor what is written may exceed the limit, or nine tenths of the room that the
/// temporary folder has: so endless pipes and tiny files that decompress to huge ones end.
///
/// Updates `stages` once per mebibyte. Throws InputError naming the stream: it is larger, invalid
/// or truncated, or the file cannot be written. Throws InterruptedError, and UsageError for an
/// invalid limit.
Descriptor spooled(ByteStream& from, const Compression* compression, Stages& stages);

}  // namespace mugrad
