// SPDX-License-Identifier: MIT
// Escapes names and sentences from files for a format, so that they are shown literally.
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// As GitHub's Markdown, on one line that may be a table cell.
std::string markdown_text(std::string_view text);

/// In LaTeX, outside mathematics.
std::string latex_text(std::string_view text);

/// In a comment of LaTeX, which ends with the line.
std::string latex_comment(std::string_view text);

}  // namespace mugrad
