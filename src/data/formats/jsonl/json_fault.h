// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <cstdint>
#include <string_view>

namespace mugrad::formats {

/// Where an object is: on a line of its own, or an item of the array that is the file.
enum class JsonPlace : std::uint8_t { line, item };

/// Throws the InputError for a text that is not one JSON object: says where it stops being one, and
/// what was expected. Slower than the parser, which only knows that something is wrong.
[[noreturn]] void fail_at_fault(const SourceText& source, std::string_view text, JsonPlace place);

}  // namespace mugrad::formats
