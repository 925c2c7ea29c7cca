// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mugrad::cli {

/// Lets the names of an option be separated by blanks as well as by commas, beside files that may
/// be many: of `--metrics a b` the parser takes `a` for the option and `b` for a file. Moves the
/// words that are such names, and no files, from `files` to the end of `names`.
void take_names(std::vector<std::string>& files, std::vector<std::string>& names,
                const std::function<bool(const std::string&)>& is_name);

}  // namespace mugrad::cli
