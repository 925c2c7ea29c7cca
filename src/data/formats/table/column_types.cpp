// SPDX-License-Identifier: MIT
#include "data/formats/table/column_types.h"

#include "core/printable.h"
#include "data/formats/source_text.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {
namespace {

/// A column of numbers, dates or texts may have at most this share of other values.
constexpr double kMostOthers = 0.1;
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

bool are_few(Index count, Index present) noexcept {
  return static_cast<double>(count) <= kMostOthers * static_cast<double>(present);
}
bool has_numbers(const CellFacts& facts) { return are_numbers(facts.numbers, facts.present()); }
bool has_dates(const CellFacts& facts) {
  return are_few(facts.present() - facts.dates, facts.present());
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
  return (is_long && differs) || (all_differ && are_few(facts.numbers, cells));
}

AttributeType guessed_type(const CellFacts& facts, const ReadOptions& options) {
  if (has_numbers(facts)) return AttributeType::numeric;
  if (has_dates(facts)) return AttributeType::date;
  if (facts.truths == facts.present()) return AttributeType::category;
  if (is_text(facts)) return AttributeType::text;
  return names_rows(facts) && !options.keep_ids ? AttributeType::identifier
                                                : AttributeType::category;
}

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

/// Says that a column looks like numbers or dates, but is taken for something else.
void tell_unread(const Attribute& attribute, const CellFacts& facts, const ReadOptions& options) {
  if (attribute.type == AttributeType::numeric || attribute.type == AttributeType::date) return;
  const Index present = facts.present();
  const bool are_numbers =
      facts.unread_numbers > 0 && are_few(present - facts.numbers - facts.unread_numbers, present);
  const bool are_dates =
      facts.unread_dates > 0 && are_few(present - facts.dates - facts.unread_dates, present);
  if (!are_numbers && !are_dates) return;
  options.tell(
      fmt::format("{} looks like {} in a form that is not read, such as {}, and is taken "
                  "for a column of role {}: write {}",
                  shown(attribute.name), are_numbers ? "numbers" : "dates",
                  shown(facts.first_unread), to_string(role_of(attribute.type)),
                  are_numbers ? "numbers like 1234.5" : "dates like 2026-11-18"));
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

void leave_out_unsupported(TableColumns& columns, const ReadOptions& options) {
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    auto& attribute = columns.header.attributes[i];
    const bool is_free = !columns.dropped[i] && !columns.labels.is_label[i];
    if (!is_free || attribute.type != AttributeType::unsupported) continue;
    const bool is_date = attribute.type_name == "date";
    if (is_date && !options.encode_like.empty()) {
      attribute.type = AttributeType::open;
      continue;
    }
    columns.dropped[i] = true;
    options.tell(is_date ? fmt::format("left out {}: dates in this form are not read, only those "
                                       "like 2026-11-18 and 18.11.2026",
                                       shown(attribute.name))
                         : fmt::format("left out {}: {} attributes are not read",
                                       shown(attribute.name), attribute.type_name));
  }
}

bool are_numbers(Index numbers, Index present) noexcept {
  return are_few(present - numbers, present);
}

bool needs_survey(const TableColumns& columns, const ReadOptions& options) {
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    const auto type = columns.header.attributes[i].type;
    if (type == AttributeType::open && !columns.dropped[i]) return true;
    const bool is_known = options.tag_separator || columns.are_predictions;
    if (type == AttributeType::tags && !is_known) return true;
  }
  return false;
}

void take_for_categories(TableColumns& columns) {
  for (auto& attribute : columns.header.attributes) {
    if (attribute.type == AttributeType::open) attribute.type = AttributeType::category;
  }
}

std::vector<bool> numbers_are_values(const TableColumns& columns, const ColumnSurvey& survey) {
  std::vector<bool> found(columns.dropped.size(), false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& facts = survey.facts(i);
    if (columns.dropped[i] || facts.numbers == 0) continue;
    const auto type = columns.header.attributes[i].type;
    found[i] = type == AttributeType::category ||
               (type == AttributeType::open && !has_numbers(facts) && !has_dates(facts));
  }
  return found;
}

void guess_types(TableColumns& columns, const ColumnSurvey& survey, const ReadOptions& options) {
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    auto& attribute = columns.header.attributes[i];
    if (columns.dropped[i] || attribute.type != AttributeType::open) continue;
    const auto& facts = survey.facts(i);
    attribute.type = guessed_type(facts, options);
    tell_unread(attribute, facts, options);
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
    // A label has its own values, such as yes and no.
    const bool is_number = column.role == ColumnRole::number && !column.is_label;
    if (is_number) column.odd = facts.texts + facts.dates;
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
