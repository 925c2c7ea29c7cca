// SPDX-License-Identifier: MIT
// Names and sentences from files as text of a format: whatever stands in them is shown, and does
// nothing.
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// As GitHub's Markdown has it, on one line that may be a cell of a table.
std::string markdown_text(std::string_view text);

/// In LaTeX, outside mathematics.
std::string latex_text(std::string_view text);

/// In a comment of LaTeX, which ends with the line.
std::string latex_comment(std::string_view text);

}  // namespace mugrad
