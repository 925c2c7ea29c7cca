// SPDX-License-Identifier: MIT
#pragma once

#include "model/head_kind.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace mugrad {

/// Throws InputError if a head does not fit a model of this shape: sizes, indices out of range,
/// numbers that are not finite.
void check_head(const Head& head, const HeadShape& shape);

// Helpers for the checks of heads. All throw InputError.

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw InputError(fmt::format(format, std::forward<Arguments>(arguments)...));
}

void check_size(std::string_view what, Index found, Index expected);
/// Checks the starts of parts, followed by an end.
void check_starts(std::string_view what, const std::vector<Index>& starts, Index end);

}  // namespace mugrad
