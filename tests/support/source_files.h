// SPDX-License-Identifier: MIT
#pragma once

#include "support/paths.h"

#include <filesystem>
#include <functional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {

/// The files below folders of the repository that have one of these endings, sorted. A folder
/// without such files fails the test.
std::vector<std::filesystem::path> files_below(const std::vector<std::string>& folders,
                                               const std::vector<std::string>& endings = {".h",
                                                                                          ".cpp"});

/// Expects that no line of these files is forbidden; `why` says what to write instead.
void expect_no_line(const std::vector<std::filesystem::path>& files,
                    const std::function<bool(const std::string&)>& is_forbidden,
                    std::string_view why);
/// Expects that no line matches.
void expect_no_line(const std::vector<std::filesystem::path>& files, const std::regex& forbidden,
                    std::string_view why);

/// What a source includes, as it is written there: "mugrad/core/error.h".
std::vector<std::string> includes_of(const std::filesystem::path& file);

}  // namespace mugrad::testing
