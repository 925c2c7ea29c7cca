// SPDX-License-Identifier: MIT
/// Options in messages. The library identifies an option by its enumerator. A front end sets once
/// how its users write options: the program as flags, Python as parameters. The default is the C++
/// field.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace mugrad {

/// The options that messages of the library mention.
enum class Option {
  format,
  labels_xml,
  label_columns,
  label_count,
  drop,
  keep_ids,
  tags,
  number_columns,
  category_columns,
  text_columns,
  date_columns,
  identifier_columns,
  missing,
  delimiter,
  min_words,
  max_words,
  min_characters,
  max_characters,
  min_documents,
  max_document_share,
  max_terms,
  hash_bits,
  mirror,
  resume,
  table_format,
  different_options,
  row_shards,
};

/// The name of an option in some front end.
struct OptionName {
  Option option = Option::format;
  std::string_view name = {};
};
inline constexpr std::size_t kOptionCount = static_cast<std::size_t>(Option::row_shards) + 1;
using OptionNames = std::array<OptionName, kOptionCount>;

/// The names of the options in C++.
inline constexpr OptionNames kOptionFields = {{
    {Option::format, "ReadOptions::format"},
    {Option::labels_xml, "ReadOptions::labels_xml"},
    {Option::label_columns, "ReadOptions::label_columns"},
    {Option::label_count, "ReadOptions::label_count"},
    {Option::drop, "ReadOptions::drop"},
    {Option::keep_ids, "ReadOptions::keep_ids"},
    {Option::tags, "ReadOptions::tags"},
    {Option::number_columns, "ReadOptions::roles (number)"},
    {Option::category_columns, "ReadOptions::roles (category)"},
    {Option::text_columns, "ReadOptions::roles (text)"},
    {Option::date_columns, "ReadOptions::roles (date)"},
    {Option::identifier_columns, "ReadOptions::roles (identifier)"},
    {Option::missing, "ReadOptions::missing"},
    {Option::delimiter, "ReadOptions::delimiter"},
    {Option::min_words, "TextOptions::min_words"},
    {Option::max_words, "TextOptions::max_words"},
    {Option::min_characters, "TextOptions::min_characters"},
    {Option::max_characters, "TextOptions::max_characters"},
    {Option::min_documents, "TextOptions::min_documents"},
    {Option::max_document_share, "TextOptions::max_document_share"},
    {Option::max_terms, "TextOptions::max_terms"},
    {Option::hash_bits, "TextOptions::hash_bits"},
    {Option::mirror, "FetchOptions::from"},
    {Option::resume, "ResultsFile::resume"},
    {Option::table_format, "TableFormat"},
    {Option::different_options, "ComparisonOptions::different_options"},
    {Option::row_shards, "SharingOptions::row_shards"},
}};

/// Whether every option has a name, in the order of Option. For a static_assert beside each table.
constexpr bool is_complete(const OptionNames& names) noexcept {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].option != static_cast<Option>(i) || names[i].name.empty()) return false;
  }
  return true;
}
constexpr std::string_view name_in(const OptionNames& names, Option option) noexcept {
  return names[static_cast<std::size_t>(option)].name;
}

/// How a front end writes options in messages.
struct OptionWriter {
  /// The option, with its value unless the value is empty.
  std::string (*option)(Option option, std::string_view value) = nullptr;
  /// An option of a method, given its name in OptionValues.
  std::string (*method_option)(std::string_view name) = nullptr;
};
/// Applies to all later messages. Call it before other threads use the library.
void set_option_writer(const OptionWriter& writer) noexcept;

/// An option as messages write it: "ReadOptions::drop", "ReadOptions::label_count = 3".
std::string option_text(Option option, std::string_view value = {});
/// The same for an option of a method: "rho".
std::string method_option_text(std::string_view name);

}  // namespace mugrad
