// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad::formats {

class SourceText;

/// A name or value of an ARFF file.
struct ArffToken {
  std::string_view text;  ///< without quotes, escapes resolved
  const char* at = nullptr;
  bool was_quoted = false;
};

/// Reads the token at `at`, which may be quoted with ' or ". An unquoted token ends before a blank
/// or one of `stops`, and its backslashes are literal. Moves `at` behind the token. The text of a
/// token with escapes is stored in `scratch`. Throws InputError for a quote that does not close
/// before `end`.
ArffToken read_token(const SourceText& source, const char*& at, const char* end,
                     std::string_view stops, std::string& scratch);

/// Resolves backslash escapes, as inside quotes.
std::string unescaped(std::string_view text);

/// Appends the name, quoted and escaped if it would otherwise be read as less.
void append_token(std::string& out, std::string_view name);

}  // namespace mugrad::formats
