// SPDX-License-Identifier: MIT
#include "option_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace mugrad::cli {
namespace {

/// As a word of a shell: in quotes if it would otherwise be several words, or another one.
std::string shell_word(std::string_view value) {
  constexpr std::string_view kPlain = "_-+=.,:/@%";
  const bool is_plain = std::ranges::all_of(value, [&](unsigned char byte) {
    return byte >= 0x80 || std::isalnum(byte) != 0 ||
           kPlain.find(static_cast<char>(byte)) != kPlain.npos;
  });
  if (is_plain) return std::string(value);
  std::string word = "'";
  for (const char byte : value) word += byte == '\'' ? "'\\''" : std::string(1, byte);
  return word + "'";
}

}  // namespace

void write_options_as_flags() noexcept {
  set_option_writer(
      {.option =
           [](Option option, std::string_view value) {
             return fmt::format("{}{}{}", name_in(kOptionFlags, option), value.empty() ? "" : " ",
                                shell_word(value));
           },
       .method_option = [](std::string_view name) { return fmt::format("--{}", name); }});
}

}  // namespace mugrad::cli
