// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <string_view>

namespace mugrad::formats {

/// Throws the InputError for a line that is not one JSON object: says where it stops being one, and
/// what was expected. Slower than the parser, which only knows that something is wrong.
[[noreturn]] void fail_at_fault(const SourceText& source, std::string_view line);

}  // namespace mugrad::formats
