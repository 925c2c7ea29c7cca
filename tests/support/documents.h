// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {

/// A document of the repository, or its section under a heading.
std::string text_of(const char* document, std::string_view heading = "");

/// The cells of all rows of tables, without the lines below their headers.
std::vector<std::vector<std::string>> table_rows(const std::string& text);

/// The names in a text that are written as code.
std::vector<std::string> code_in(const std::string& text);

}  // namespace mugrad::testing
