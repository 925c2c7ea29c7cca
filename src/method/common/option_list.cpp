// SPDX-License-Identifier: MIT
#include "method/common/option_list.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace mugrad {
namespace {

template <class Number>
Number parsed(std::string_view name, std::string_view text, std::string_view expected) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw UsageError(
        fmt::format("{} must be {}, got '{}'", method_option_text(name), expected, text));
  }
  return value;
}

/// "in [0, 1)", "> 0", ">= 1".
std::string range_text(const Allowed& allowed) {
  const bool open_low = std::isfinite(allowed.above);
  const bool open_high = std::isfinite(allowed.below);
  const double low = open_low ? allowed.above : allowed.at_least;
  const double high = open_high ? allowed.below : allowed.at_most;
  if (std::isfinite(low) && std::isfinite(high)) {
    return fmt::format("in {}{}, {}{}", open_low ? '(' : '[', low, high, open_high ? ')' : ']');
  }
  if (std::isfinite(low)) return fmt::format("{} {}", open_low ? ">" : ">=", low);
  return fmt::format("{} {}", open_high ? "<" : "<=", high);
}

void require_allowed(const std::string& name, double value, const Allowed& allowed) {
  if (!std::isfinite(value))
    throw UsageError(fmt::format("{} must be finite, got {}", method_option_text(name), value));
  if (value >= allowed.at_least && value <= allowed.at_most && value > allowed.above &&
      value < allowed.below) {
    return;
  }
  throw UsageError(
      fmt::format("{} must be {}, got {}", method_option_text(name), range_text(allowed), value));
}

/// An optional number; `none` is the text for no value.
template <class Number>
struct OptionalValue {
  std::string name;
  std::optional<Number>& value;
  std::string none;
  Allowed allowed;

  std::string text() const { return value ? fmt::format("{}", *value) : none; }
  void set(std::string_view given, std::string_view kind) const {
    value.reset();
    if (given != none) value = parsed<Number>(name, given, fmt::format("{} or {}", kind, none));
  }
  void check() const {
    if (value) require_allowed(name, static_cast<double>(*value), allowed);
  }
};

}  // namespace

void OptionList::number(const std::string& name, double& value, std::string help, Allowed allowed) {
  add({.info = OptionInfo{name, std::move(help), fmt::format("{}", value), {}},
       .set = [name,
               &value](std::string_view text) { value = parsed<double>(name, text, "a number"); },
       .text = [&value] { return fmt::format("{}", value); },
       .check = [name, &value, allowed] { require_allowed(name, value, allowed); }});
}

void OptionList::whole(const std::string& name, Index& value, std::string help, Allowed allowed) {
  add({.info = OptionInfo{name, std::move(help), fmt::format("{}", value), {}},
       .set = [name, &value](
                  std::string_view text) { value = parsed<Index>(name, text, "a whole number"); },
       .text = [&value] { return fmt::format("{}", value); },
       .check = [name, &value,
                 allowed] { require_allowed(name, static_cast<double>(value), allowed); }});
}

void OptionList::optional_number(std::string name, std::optional<double>& value, std::string help,
                                 std::string none, Allowed allowed) {
  const OptionalValue<double> option{name, value, std::move(none), allowed};
  add({.info = OptionInfo{std::move(name), std::move(help), option.text(), {}},
       .set = [option](std::string_view given) { option.set(given, "a number"); },
       .text = [option] { return option.text(); },
       .check = [option] { option.check(); }});
}

void OptionList::optional_whole(std::string name, std::optional<Index>& value, std::string help,
                                std::string none, Allowed allowed) {
  const OptionalValue<Index> option{name, value, std::move(none), allowed};
  add({.info = OptionInfo{std::move(name), std::move(help), option.text(), {}},
       .set = [option](std::string_view given) { option.set(given, "a whole number"); },
       .text = [option] { return option.text(); },
       .check = [option] { option.check(); }});
}

void OptionList::seed(std::uint64_t& value) {
  add({.info = OptionInfo{"seed", "Seed of all random numbers", fmt::format("{}", value), {}},
       .set =
           [&value](std::string_view text) {
             value = parsed<std::uint64_t>("seed", text, "a whole number >= 0");
           },
       .text = [&value] { return fmt::format("{}", value); },
       .check = [] {}});
}

void OptionList::flag(const std::string& name, bool& value, std::string help) {
  add({.info = OptionInfo{name, std::move(help), value ? "true" : "false", {"true", "false"}},
       .set =
           [name, &value](std::string_view text) {
             if (text != "true" && text != "false") {
               throw UsageError(fmt::format("{} must be true or false, got '{}'",
                                            method_option_text(name), text));
             }
             value = text == "true";
           },
       .text = [&value] { return std::string(value ? "true" : "false"); },
       .check = [] {}});
}

std::vector<OptionInfo> OptionList::infos() const {
  std::vector<OptionInfo> infos;
  for (const Field& field : fields_) infos.push_back(field.info);
  return infos;
}

OptionValues OptionList::as_text() const {
  OptionValues values;
  for (const Field& field : fields_) values[field.info.name] = field.text();
  return values;
}

void OptionList::set(std::string_view name, std::string_view text) {
  std::string known;
  for (Field& field : fields_) {
    if (field.info.name == name || (!field.info.was.empty() && field.info.was == name)) {
      if (!field.set_as.empty() && field.set_as != name) {
        throw UsageError(fmt::format("{} is the older name of {}: give one of them", field.info.was,
                                     field.info.name));
      }
      field.set_as = name;
      return field.set(text);
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", field.info.name);
  }
  throw UsageError(fmt::format("there is no option '{}': choose from {}", name, known));
}

void OptionList::check() const {
  for (const Field& field : fields_) field.check();
}

}  // namespace mugrad
