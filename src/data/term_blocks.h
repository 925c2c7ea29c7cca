// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <optional>
#include <span>
#include <string>

namespace mugrad {

/// Texts have at least one term each, and follow each other without overlap within the features.
/// The end of a sentence about the first that does not, whose subject is "the texts of ...".
std::optional<std::string> misplaced_text(std::span<const TermBlock> texts, Index features);

}  // namespace mugrad
