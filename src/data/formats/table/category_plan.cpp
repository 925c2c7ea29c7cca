// SPDX-License-Identifier: MIT
#include "data/formats/table/category_plan.h"

#include "data/formats/number.h"
#include "data/formats/source_text.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {
namespace {

constexpr auto kNone = ColumnEncoding::kNone;
using Kind = ColumnEncoding::Kind;

/// A category has at most so many columns; its rarest values share one.
constexpr std::size_t kMostValues = 1000;

}  // namespace

ColumnEncoding CategoryPlanner::plan(std::size_t i, std::vector<std::string>& names) const {
  if (known_.has(name(i))) return zero_one(i, names);
  const auto wanted = known_values(i);
  if (!wanted.empty()) return as_the_model_has_it(i, wanted, names);
  auto values = values_in_order(i);
  if (is_two_valued(values)) return marked_zero_one(i, names);
  if (!known_.empty()) return left_out(i, "the model does not use it");
  if (is_identifier(i) && !options_.keep_ids) {
    return left_out(i, fmt::format("a distinct value on every row makes it an identifier ({} "
                                   "keeps it)",
                                   option_text(Option::keep_ids)));
  }
  const Index distinct = std::ssize(values);
  const bool has_rare = values.size() > kMostValues;
  if (has_rare) keep_most_frequent(i, values);
  tell_if_nearly_unique(i, distinct);
  auto encoding = one_hot(i, values, names);
  if (has_rare) {
    encoding.other = encoding.width++;
    names.push_back(value_name(name(i), kOtherValue));
  }
  if (fills_in(i)) {
    encoding.fill = 0;
    encoding.marks_missing = true;
    ++encoding.width;
    names.push_back(value_name(name(i), kMissingValue));
  }
  return encoding;
}

/// Whether missing values become a column of their own.
bool CategoryPlanner::fills_in(std::size_t i) const {
  return options_.missing == Missing::median && known_.empty() && survey_.missing(i) > 0;
}

/// Nominals keep their declared order; texts are sorted by byte. The empty text gets no column: it
/// is the value of attributes that a sparse row does not mention.
std::vector<std::string> CategoryPlanner::values_in_order(std::size_t i) const {
  auto values = codes(i).values();
  if (survey_.columns()[i].attribute->type == AttributeType::category) {
    std::erase(values, "");
    std::ranges::sort(values);
  }
  return values;
}

/// Keeps the most frequent values, in their order.
void CategoryPlanner::keep_most_frequent(std::size_t i, std::vector<std::string>& values) const {
  const auto rows_with = [&](const std::string& value) {
    return survey_.count(i, as_size(codes(i).find(value)));
  };
  std::vector<std::string> kept = values;
  std::ranges::stable_sort(kept, std::ranges::greater{}, rows_with);
  const Index least = rows_with(kept[kMostValues - 1]);
  kept.resize(kMostValues);
  options_.tell(fmt::format(
      "{} has {} values: the {} most frequent, in {} rows or more, get a feature each, and the "
      "others share one ({} leaves it out, {} reads its words)",
      shown(name(i)), values.size(), kMostValues, least, option_text(Option::drop, name(i)),
      option_text(Option::text_columns, name(i))));
  std::ranges::sort(kept);
  std::erase_if(values,
                [&](const auto& value) { return !std::ranges::binary_search(kept, value); });
}

/// Whether the caller says that the column is a category.
bool CategoryPlanner::is_chosen(std::size_t i) const {
  if (survey_.columns()[i].attribute->type != AttributeType::category) return true;
  return std::ranges::any_of(options_.roles, [&](const RoleOfColumns& chosen) {
    const std::string_view pattern = chosen.columns;
    if (pattern.ends_with('*')) return name(i).starts_with(pattern.substr(0, pattern.size() - 1));
    return name(i) == pattern;
  });
}

/// Of a category whose role was guessed: an identifier with some repeats looks the same.
void CategoryPlanner::tell_if_nearly_unique(std::size_t i, Index values) const {
  constexpr Index kLeastRows = 50;
  const Index present = survey_.rows() - survey_.missing(i);
  if (is_chosen(i) || options_.keep_ids || present < kLeastRows || 2 * values < present) return;
  options_.tell(fmt::format(
      "{} has {} different values in {} rows, so that most say little about other "
      "rows: if it names something, use {}",
      shown(name(i)), values, present, option_text(Option::identifier_columns, name(i))));
}

bool CategoryPlanner::is_identifier(std::size_t i) const {
  return survey_.rows() >= 2 && survey_.distinct(i) == survey_.rows() &&
         !survey_.columns()[i].attribute->is_lenient;
}

ColumnEncoding CategoryPlanner::left_out(std::size_t i, std::string_view why) const {
  options_.tell(fmt::format("left out {}: {}", shown(name(i)), why));
  return {.kind = Kind::nothing, .width = 0};
}

ColumnEncoding CategoryPlanner::zero_one(std::size_t i, std::vector<std::string>& names) const {
  const auto& values = codes(i);
  ColumnEncoding encoding{.kind = Kind::values};
  for (std::size_t code = 0; code < values.size(); ++code) {
    const auto truth = truth_of(values[code]);
    if (!truth && survey_.occurs(i, code) && !values[code].empty()) fail_as_one_column(i);
    encoding.column_of.push_back(truth.value_or(false) ? 0 : kNone);
  }
  names.push_back(name(i));
  return encoding;
}

ColumnEncoding CategoryPlanner::marked_zero_one(std::size_t i,
                                                std::vector<std::string>& names) const {
  ColumnEncoding encoding = zero_one(i, names);
  if (!fills_in(i)) return encoding;
  encoding.fill = 0;
  encoding.marks_missing = true;
  ++encoding.width;
  names.push_back(missing_number_name(name(i)));
  return encoding;
}

void CategoryPlanner::fail_as_one_column(std::size_t i) const {
  const auto& values = codes(i).values();
  const auto strange = std::ranges::find_if(values, [](const std::string& value) {
    return !value.empty() && !truth_of(value) && !number_in(value);
  });
  throw InputError(fmt::format(
      "{}: attribute {} has {}, but the model uses it as one column "
      "of numbers",
      file_, shown(name(i)),
      strange == values.end() ? "values other than 0 and 1" : "the value " + shown(*strange)));
}

/// The values that the model has columns for, except those that belong to an attribute of the file
/// with a longer name.
std::vector<std::string> CategoryPlanner::known_values(std::size_t i) const {
  auto values = known_.values_of(name(i));
  std::erase_if(values, [&](const std::string& value) {
    return columns_.is_of_longer(value_name(name(i), value), name(i).size() + 1);
  });
  return values;
}

ColumnEncoding CategoryPlanner::one_hot(std::size_t i, const std::vector<std::string>& values,
                                        std::vector<std::string>& names) const {
  columns_.check_alone(name(i), kBeforeValue);
  ColumnEncoding encoding{.kind = Kind::values,
                          .attribute = name(i),
                          .width = static_cast<FeatureId>(values.size()),
                          .column_of = std::vector<std::int32_t>(codes(i).size(), kNone)};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto code = codes(i).find(values[k]);
    if (code != ValueCodes::kUnknown) {
      encoding.column_of[as_size(code)] = static_cast<std::int32_t>(k);
    }
    names.push_back(value_name(name(i), values[k]));
  }
  return encoding;
}

ColumnEncoding CategoryPlanner::as_the_model_has_it(std::size_t i,
                                                    const std::vector<std::string>& wanted,
                                                    std::vector<std::string>& names) const {
  auto encoding = one_hot(i, wanted, names);
  encoding.is_of_model = true;
  return encoding;
}

}  // namespace mugrad::formats
