// SPDX-License-Identifier: MIT
#include "data/formats/table/column_types.h"

#include "core/printable.h"
#include "data/formats/source_text.h"
#include "data/formats/table/known_names.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mugrad::formats {
namespace {

/// A column with numbers is a column of numbers if at most this share of its values are not.
constexpr double kMostOtherThanNumbers = 0.1;
/// Texts are words rather than categories if they have so many words, or bytes, on average, and at
/// least this share of them are different.
constexpr Index kWordsOfText = 3;
constexpr Index kBytesOfText = 40;
constexpr double kLeastDistinctOfText = 0.3;
/// Nearly as many different values as rows name the rows, if there are so many rows.
constexpr double kLeastDistinctOfIdentifier = 0.95;
constexpr Index kFewRows = 50;

struct ChosenType {
  ColumnRole role;
  AttributeType type;
  Option option;
};
constexpr ChosenType kChosenTypes[] = {
    {ColumnRole::number, AttributeType::numeric, Option::number_columns},
    {ColumnRole::category, AttributeType::category, Option::category_columns},
    {ColumnRole::text, AttributeType::text, Option::text_columns},
    {ColumnRole::date, AttributeType::date, Option::date_columns},
    {ColumnRole::identifier, AttributeType::identifier, Option::identifier_columns}};

const ChosenType& chosen_type(ColumnRole role) {
  const auto* const found = std::ranges::find(kChosenTypes, role, &ChosenType::role);
  if (found == std::end(kChosenTypes)) {
    throw UsageError(
        fmt::format("a column cannot be chosen to be {}: ReadOptions::tags and "
                    "ReadOptions::drop are for that",
                    to_string(role)));
  }
  return *found;
}

/// Whether nearly every row has another single word.
bool names_rows(const CellFacts& facts) {
  const Index distinct = facts.distinct.count();
  if (facts.words > facts.present()) return false;
  if (facts.present() < kFewRows) return facts.present() >= 2 && distinct == facts.present();
  const bool is_counted = distinct < static_cast<Index>(DistinctTexts::kMost);
  return !is_counted || static_cast<double>(distinct) >=
                            kLeastDistinctOfIdentifier * static_cast<double>(facts.present());
}

bool is_text(const CellFacts& facts) {
  const Index cells = facts.present();
  const bool is_long = facts.words >= kWordsOfText * cells || facts.bytes >= kBytesOfText * cells;
  const bool is_counted = facts.distinct.count() < static_cast<Index>(DistinctTexts::kMost);
  const auto distinct = static_cast<double>(facts.distinct.count());
  const bool differs = !is_counted || distinct >= kLeastDistinctOfText * static_cast<double>(cells);
  const bool all_differ = facts.distinct.count() == cells && cells >= 2 && facts.words > cells;
  return (is_long && differs) || all_differ;
}

AttributeType guessed_type(const CellFacts& facts, const ReadOptions& options) {
  const Index present = facts.present();
  const auto others = static_cast<double>(present - facts.numbers);
  if (others <= kMostOtherThanNumbers * static_cast<double>(present)) return AttributeType::numeric;
  if (facts.dates == present) return AttributeType::date;
  if (facts.numbers > 0 || facts.truths == facts.texts) return AttributeType::category;
  if (is_text(facts)) return AttributeType::text;
  return names_rows(facts) && !options.keep_ids ? AttributeType::identifier
                                                : AttributeType::category;
}

AttributeType type_in_model(const EncodedColumn& column) {
  switch (column.role) {
    case ColumnRole::category:
      return AttributeType::category;
    case ColumnRole::text:
      return AttributeType::text;
    case ColumnRole::date:
      return AttributeType::date;
    case ColumnRole::identifier:
      return AttributeType::identifier;
    default:
      return AttributeType::numeric;
  }
}

/// The types of a model that was trained on numbers and categories alone, by its names of features.
class TypesByName {
 public:
  explicit TypesByName(const ReadOptions& options) : known_(options.encode_like) {}
  std::optional<AttributeType> operator()(const std::string& name) const {
    if (known_.one_hot(name)) return AttributeType::category;
    return known_.has(name) ? std::optional(AttributeType::numeric) : std::nullopt;
  }

 private:
  KnownNames known_;
};

/// The types of a model with an encoding.
class TypesByEncoding {
 public:
  explicit TypesByEncoding(const TableEncoding& encoding) {
    for (const auto& column : encoding.columns) {
      const bool is_used = column.role != ColumnRole::ignored && column.role != ColumnRole::tags;
      if (is_used) type_[column.name] = type_in_model(column);
    }
  }
  std::optional<AttributeType> operator()(const std::string& name) const {
    const auto found = type_.find(name);
    return found == type_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string_view, AttributeType> type_;
};

void check_complete(const TableColumns& columns, const SourceText& source,
                    const TableEncoding& encoding) {
  std::vector<std::string> missing;
  Index used = 0;
  for (const auto& column : encoding.columns) {
    if (column.width == 0) continue;
    ++used;
    const auto& attributes = columns.header.attributes;
    const auto found = std::ranges::find(attributes, column.name, &Attribute::name);
    if (found == attributes.end()) missing.push_back(column.name);
  }
  if (missing.empty()) return;
  throw InputError(fmt::format("{} lacks {} of the model's {} columns: {}", source.name(),
                               missing.size(), used, listing(missing, 8)));
}

template <class TypeOf>
void take_types(TableColumns& columns, const SourceText& source, const TypeOf& type_of,
                const ReadOptions& options) {
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    auto& attribute = columns.header.attributes[i];
    if (attribute.type != AttributeType::open || columns.labels.is_label[i] || columns.dropped[i]) {
      continue;
    }
    const auto type = type_of(attribute.name);
    columns.dropped[i] = !type.has_value();
    attribute.type = type.value_or(AttributeType::numeric);
    if (!type) unused.push_back(attribute.name);
  }
  if (unused.empty()) return;
  options.tell(fmt::format("ignored {} of {}'s columns that the model does not use: {}",
                           unused.size(), source.name(), listing(unused, 8)));
}

}  // namespace

Option option_of(ColumnRole role) { return chosen_type(role).option; }

void apply_chosen_types(TableColumns& columns, const std::filesystem::path& path,
                        const ReadOptions& options) {
  std::vector<Option> chosen_by(columns.dropped.size(), Option::drop);
  for (const auto& [pattern, role] : options.roles) {
    const auto& chosen = chosen_type(role);
    const auto named = find_named(columns.header, path, {pattern}, chosen.option);
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!named[i] || columns.dropped[i] || columns.labels.is_label[i]) continue;
      auto& attribute = columns.header.attributes[i];
      if (chosen_by[i] != Option::drop && chosen_by[i] != chosen.option) {
        throw UsageError(fmt::format("{} and {} both name the column {}", option_text(chosen_by[i]),
                                     option_text(chosen.option), shown(attribute.name)));
      }
      chosen_by[i] = chosen.option;
      attribute.type = chosen.type;
      attribute.is_lenient = true;
    }
  }
}

void take_types_of_model(TableColumns& columns, const SourceText& source,
                         const ReadOptions& options) {
  if (options.encoding.is_empty()) {
    return take_types(columns, source, TypesByName(options), options);
  }
  check_complete(columns, source, options.encoding);
  take_types(columns, source, TypesByEncoding(options.encoding), options);
}

bool needs_survey(const TableColumns& columns, const ReadOptions& options) {
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    const auto type = columns.header.attributes[i].type;
    if (type == AttributeType::open && !columns.dropped[i]) return true;
    if (type == AttributeType::tags && !options.tag_separator) return true;
  }
  return false;
}

void take_for_categories(TableColumns& columns) {
  for (auto& attribute : columns.header.attributes) {
    if (attribute.type == AttributeType::open) attribute.type = AttributeType::category;
  }
}

void guess_types(TableColumns& columns, const ColumnSurvey& survey, const ReadOptions& options) {
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    auto& attribute = columns.header.attributes[i];
    if (columns.dropped[i] || attribute.type != AttributeType::open) continue;
    const auto& facts = survey.facts(i);
    attribute.type = guessed_type(facts, options);
    if (attribute.type == AttributeType::identifier && !options.summary) {
      options.tell(fmt::format(
          "left out {}: a distinct value on every row makes it an identifier ({} keeps it)",
          shown(attribute.name), option_text(Option::keep_ids)));
    }
    const bool has_values = facts.present() > 0 || survey.rows() == 0;
    if (has_values || options.missing != Missing::median) continue;
    columns.dropped[i] = true;
    options.tell(fmt::format("left out {}: every value is missing", shown(attribute.name)));
  }
}

namespace {

ColumnRole role_of(AttributeType type) {
  switch (type) {
    case AttributeType::category:
    case AttributeType::nominal:
      return ColumnRole::category;
    case AttributeType::text:
      return ColumnRole::text;
    case AttributeType::date:
      return ColumnRole::date;
    case AttributeType::identifier:
      return ColumnRole::identifier;
    case AttributeType::tags:
      return ColumnRole::tags;
    default:
      return ColumnRole::number;
  }
}

}  // namespace

TableSummary summary_of(const TableColumns& columns, const ColumnSurvey& survey) {
  TableSummary summary{
      .rows = survey.rows(), .separator = columns.separator, .first_rows = survey.first_rows()};
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    const auto& attribute = columns.header.attributes[i];
    const auto& facts = survey.facts(i);
    ColumnSummary column{.name = attribute.name,
                         .role = role_of(attribute.type),
                         .is_label = columns.labels.is_label[i],
                         .missing = facts.missing,
                         .distinct = facts.distinct.count()};
    if (columns.dropped[i]) column.role = ColumnRole::ignored;
    if (column.role == ColumnRole::number) column.odd = facts.texts + facts.dates;
    if (column.role == ColumnRole::date) column.odd = facts.texts + facts.numbers;
    summary.columns.push_back(std::move(column));
  }
  return summary;
}

std::string guess_separator(const SeparatorFacts& facts, Index cells) {
  if (facts.arrays > 0 && 2 * facts.arrays >= cells) return "";
  const auto* const most = std::ranges::max_element(facts.cells_with);
  if (*most > 0) {
    return {SeparatorFacts::kCharacters[as_size(most - facts.cells_with.begin())]};
  }
  return facts.words.count() < facts.cells.count() ? " " : ";";
}

}  // namespace mugrad::formats
