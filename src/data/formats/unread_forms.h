// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace mugrad::formats {

// Forms of numbers and dates that people write and that are not read, because they may mean
// something else elsewhere: "1,234" is one and a bit, or over a thousand.

/// Whether the text looks like a number with separators of thousands, or with a decimal comma:
/// 2,474.50, 1.234,5, 1'000 or 3,14.
bool looks_like_number(std::string_view text) noexcept;

/// Whether the text looks like a date of day, month and year: 01/21/2025 or 1-2-25, also with a
/// time.
bool looks_like_date(std::string_view text) noexcept;

}  // namespace mugrad::formats
