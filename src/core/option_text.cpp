// SPDX-License-Identifier: MIT
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

namespace mugrad {
namespace {

static_assert(is_complete(kOptionFields));

std::string field(Option option, std::string_view value) {
  const std::string_view name = name_in(kOptionFields, option);
  return value.empty() ? std::string(name) : fmt::format("{} = {}", name, value);
}

OptionWriter writer_in_use = {
    .option = field, .method_option = [](std::string_view name) { return std::string(name); }};

}  // namespace

void set_option_writer(const OptionWriter& writer) noexcept { writer_in_use = writer; }

std::string option_text(Option option, std::string_view value) {
  return writer_in_use.option(option, value);
}

std::string method_option_text(std::string_view name) { return writer_in_use.method_option(name); }

}  // namespace mugrad
