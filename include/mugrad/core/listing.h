// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace mugrad {

/// Names for a message: 'a', 'b', 'c' and 4 more.
std::string listing(std::span<const std::string> names, std::size_t most = 8);

}  // namespace mugrad
