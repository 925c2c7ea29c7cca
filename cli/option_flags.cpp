// SPDX-License-Identifier: MIT
#include "option_flags.h"

#include <fmt/format.h>

namespace mugrad::cli {

void write_options_as_flags() noexcept {
  set_option_writer(
      {.option =
           [](Option option, std::string_view value) {
             return fmt::format("{}{}{}", name_in(kOptionFlags, option), value.empty() ? "" : " ",
                                value);
           },
       .method_option = [](std::string_view name) { return fmt::format("--{}", name); }});
}

}  // namespace mugrad::cli
