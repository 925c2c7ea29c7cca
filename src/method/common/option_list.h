// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/method/method.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// What a number may be.
struct Allowed {
  double at_least = -std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// The options of a method by name: one list says what each is called, means and may be. The
/// numbers themselves stay where they are.
class OptionList {
 public:
  void number(const std::string& name, double& value, std::string help, Allowed allowed = {});
  void whole(const std::string& name, Index& value, std::string help, Allowed allowed = {});
  /// `none` is what the absence of a value is called.
  void optional_number(std::string name, std::optional<double>& value, std::string help,
                       std::string none, Allowed allowed = {});
  void optional_whole(std::string name, std::optional<Index>& value, std::string help,
                      std::string none, Allowed allowed = {});
  void seed(std::uint64_t& value);
  void flag(const std::string& name, bool& value, std::string help);
  /// `all` are the choices; to_string and `parse` translate.
  template <class Enum, class Parse>
  void choice(std::string name, Enum& value, std::string help, std::initializer_list<Enum> all,
              const Parse& parse) {
    std::vector<std::string> choices;
    for (const Enum one : all) choices.emplace_back(to_string(one));
    add({.info =
             OptionInfo{std::move(name), std::move(help), std::string(to_string(value)), choices},
         .set = [&value, parse](std::string_view text) { value = parse(text); },
         .text = [&value] { return std::string(to_string(value)); },
         .check = [] {}});
  }

  /// The option added last was called so before: values under that name are still taken.
  void was(std::string name) { fields_.back().info.was = std::move(name); }

  std::vector<OptionInfo> infos() const;
  OptionValues as_text() const;
  /// Throws UsageError for an option that is not in the list, listing those that are, for one that
  /// was given by its older name too, and for text that is no value of it.
  void set(std::string_view name, std::string_view text);
  /// Throws UsageError for the first number that is not allowed.
  void check() const;

 private:
  /// Where one is made, OptionInfo is named before its braces: g++ 12 destroys what nested braces
  /// without a name made twice when a later member throws.
  struct Field {
    OptionInfo info;
    std::function<void(std::string_view)> set;
    std::function<std::string()> text;
    std::function<void()> check;
    std::string set_as = {};  ///< the name by which a value was given
  };
  void add(Field field) { fields_.push_back(std::move(field)); }

  std::vector<Field> fields_;
};

}  // namespace mugrad
