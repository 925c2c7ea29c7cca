// SPDX-License-Identifier: MIT
// A name means one type: whoever searches for it finds one definition.
#include "support/source_files.h"
#include "support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Splits C++ into words and single characters, without comments, literals and preprocessor lines.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    for (;;) {
      skip_blanks();
      if (at_ == text_.size()) return {};
      if (starts("//") || (text_[at_] == '#' && at_line_start_)) {
        skip_line();
      } else if (starts("/*")) {
        at_ = end_of("*/", at_ + 2);
      } else if (text_[at_] == '"' || text_[at_] == '\'') {
        skip_literal(text_[at_]);
      } else {
        break;
      }
    }
    at_line_start_ = false;
    const std::size_t begin = at_;
    if (!is_word_character(text_[at_])) return text_.substr(at_++, 1);
    // The quotes within a word are those of a number: 1'000.
    while (at_ < text_.size() && (is_word_character(text_[at_]) || is_digit_separator(begin)))
      ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    if (word.ends_with('R') && at_ < text_.size() && text_[at_] == '"') {
      skip_raw_literal();
      return next();
    }
    return word;
  }

 private:
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  bool is_digit_separator(std::size_t begin) const {
    return text_[at_] == '\'' && std::isdigit(static_cast<unsigned char>(text_[begin])) != 0;
  }
  std::size_t end_of(std::string_view what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == text_.npos ? text_.size() : found + what.size();
  }
  void skip_blanks() {
    for (; at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
      at_line_start_ = at_line_start_ || text_[at_] == '\n';
    }
  }
  /// With the lines that it is continued on.
  void skip_line() {
    do {
      at_ = end_of("\n", at_);
    } while (at_ > 1 && at_ < text_.size() && text_[at_ - 2] == '\\');
    at_line_start_ = true;
  }
  void skip_literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void skip_raw_literal() {
    const auto open = text_.find('(', at_);
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    at_ = end_of(close, open);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool at_line_start_ = true;
};

/// The type that a declaration defines, empty for anything else. `declaration` is what stands
/// before the brace.
std::string type_defined_by(const std::vector<std::string_view>& declaration) {
  constexpr std::array<std::string_view, 4> kKinds = {"class", "struct", "enum", "union"};
  auto at = declaration.begin();
  const auto skip_pair = [&](std::string_view open, std::string_view close) {
    int depth = 0;
    for (; at != declaration.end(); ++at) {
      if (*at == open) ++depth;
      if (*at == close && --depth == 0) break;
    }
    if (at != declaration.end()) ++at;
  };
  while (at != declaration.end() && *at == "template") skip_pair("<", ">");
  if (at == declaration.end() || std::ranges::find(kKinds, *at) == kKinds.end()) return {};
  std::string name;
  for (++at; at != declaration.end() && *at != ":" && *at != "final";) {
    if (*at == "<") return {};  // a specialisation: the name is that of another definition
    if (*at == "[") {
      skip_pair("[", "]");
    } else if (*at == "(") {
      skip_pair("(", ")");
    } else {
      name = *at++;
    }
  }
  // Of `Outer::Inner` the first colon ends the search: a nested type may be called as others are.
  const bool is_nested = at != declaration.end() && *at == ":" &&
                         std::next(at) != declaration.end() && *std::next(at) == ":";
  return is_nested ? "" : name;
}

/// The classes, structs, unions and enumerations that are defined directly in a namespace.
std::vector<std::string> types_defined_in(std::string_view text) {
  std::vector<std::string> types;
  std::vector<std::string_view> declaration;
  Tokens tokens(text);
  for (auto token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token == ";" || token == "}") {
      declaration.clear();
    } else if (token != "{") {
      declaration.push_back(token);
    } else {
      const bool is_namespace = std::ranges::find(declaration, "namespace") != declaration.end() ||
                                (declaration.size() == 1 && declaration.front() == "extern");
      if (const auto type = type_defined_by(declaration); !type.empty()) types.push_back(type);
      declaration.clear();
      if (is_namespace) continue;
      for (int depth = 1; depth > 0 && !token.empty();) {
        token = tokens.next();
        depth += token == "{" ? 1 : token == "}" ? -1 : 0;
      }
    }
  }
  return types;
}

/// Expects that no two definitions of these folders have one name.
void expect_own_names(const std::vector<std::string>& folders) {
  std::map<std::string, std::vector<std::string>> files_of;
  for (const auto& file : files_below(folders)) {
    for (const auto& type : types_defined_in(read_file(file))) files_of[type].push_back(file);
  }
  EXPECT_GT(files_of.size(), 300U);
  for (const auto& [type, files] : files_of) {
    EXPECT_EQ(files.size(), 1U) << type << " is defined in " << ::testing::PrintToString(files)
                                << ": call the more private one what only it is";
  }
}

TEST(Architecture, TypesOfNamespacesAreFoundAndNestedOnesAreNot) {
  EXPECT_THAT(types_defined_in(R"cpp(
#define X(a) \
                  struct a {};
                namespace a::b {
                namespace {
                class One final : public Base<int> {
                  struct Nested {};
                  enum class Inner { x };
                };
                template <class T, class U = Less<T>>
                struct Two {};
                template <>
                struct Two<int, int> {};
                struct Forward;
                enum class Opaque : int;
                struct One::Hidden {
                  int x;
                };
                enum class Three : std::uint8_t { low, high };  // struct Comment {}
                class [[nodiscard]] Four {};
                struct alignas(64) Five {
                  int x = 1'000;
                };
                Four make(struct Five& five) {
                  struct Local {};
                  return {};
                }
                Four::Four() : x_{1}, y_{'{'} {
                  class InConstructor {};
                }
                constexpr auto kText = R"(struct Raw {})";
                auto text = "} struct Text {";
                }  // namespace
                struct Six {};
                }  // namespace a::b
              )cpp"),
              ::testing::ElementsAre("One", "Two", "Three", "Four", "Five", "Six"));
}

TEST(Architecture, NoTwoTypesOfTheLibraryHaveOneName) { expect_own_names({"include", "src"}); }

TEST(Architecture, NoTypeOfAFrontEndHasTheNameOfAnother) {
  expect_own_names({"include", "src", "cli", "python/bindings"});
}

}  // namespace
}  // namespace mugrad::testing
