// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/method/method.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// The allowed range of a number.
struct Allowed {
  double at_least = -std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// The options of a method by name: one list defines the name, meaning and range of each. It refers
/// to the values, which are stored elsewhere.
class OptionList {
 public:
  void number(const std::string& name, double& value, std::string help, Allowed allowed = {});
  void whole(const std::string& name, Index& value, std::string help, Allowed allowed = {});
  /// `none` is the text for no value.
  void optional_number(std::string name, std::optional<double>& value, std::string help,
                       std::string none, Allowed allowed = {});
  void optional_whole(std::string name, std::optional<Index>& value, std::string help,
                      std::string none, Allowed allowed = {});
  void seed(std::uint64_t& value);
  void flag(const std::string& name, bool& value, std::string help);
  /// `all` are the choices; to_string and `parse` convert.
  template <class Enum, class Parse>
  void choice(std::string name, Enum& value, std::string help, std::initializer_list<Enum> all,
              const Parse& parse) {
    choice(std::move(name), value, std::move(help), std::span(all.begin(), all.size()), parse);
  }
  template <class Enum, class Parse>
  void choice(std::string name, Enum& value, std::string help, std::span<const Enum> all,
              const Parse& parse) {
    std::vector<std::string> choices;
    for (const Enum one : all) choices.emplace_back(to_string(one));
    add({.info =
             OptionInfo{std::move(name), std::move(help), std::string(to_string(value)), choices},
         .set = [&value, parse](std::string_view text) { value = parse(text); },
         .text = [&value] { return std::string(to_string(value)); },
         .check = [] {}});
  }

  /// Sets an older name of the last added option: values under that name are still accepted.
  void was(std::string name) { fields_.back().info.was = std::move(name); }

  std::vector<OptionInfo> infos() const;
  OptionValues as_text() const;
  /// Throws UsageError for an unknown option, listing the known ones, for one that was also given
  /// by its older name, and for an invalid value.
  void set(std::string_view name, std::string_view text);
  /// Throws UsageError for the first number that is not allowed.
  void check() const;

 private:
  /// Initialisers must name OptionInfo before its braces: g++ 12 destroys the result of unnamed
  /// nested braces twice if a later member throws.
  struct Field {
    OptionInfo info;
    std::function<void(std::string_view)> set;
    std::function<std::string()> text;
    std::function<void()> check;
    std::string set_as = {};  ///< the name under which a value was given
  };
  void add(Field field) { fields_.push_back(std::move(field)); }

  std::vector<Field> fields_;
};

}  // namespace mugrad
