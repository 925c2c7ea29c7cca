// SPDX-License-Identifier: MIT
#include "data/formats/table/encoding_plan.h"

#include "data/formats/number.h"
#include "data/formats/source_text.h"
#include "data/formats/table/known_names.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace mugrad::formats {
namespace {

constexpr auto kNone = ColumnEncoding::kNone;

class Planner {
 public:
  Planner(const ValueSurvey& survey, const std::string& file, const ReadOptions& options)
      : survey_(survey),
        columns_(survey.columns()),
        file_(file),
        options_(options),
        known_(options.encode_like) {}

  EncodingPlan plan() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      auto encoding =
          columns_[i].attribute->type == AttributeType::numeric ? number(i) : nominal(i);
      encoding.attribute = name(i);
      encoding.first = static_cast<FeatureId>(plan_.names.size() - as_size(encoding.width));
      plan_.columns.push_back(std::move(encoding));
    }
    return std::move(plan_);
  }

 private:
  const std::string& name(std::size_t i) const { return columns_[i].attribute->name; }

  ColumnEncoding number(std::size_t i) {
    plan_.names.push_back(name(i));
    return {};
  }

  ColumnEncoding nominal(std::size_t i) {
    if (known_.has(name(i))) return zero_one(i);
    const auto wanted = known_values(i);
    if (!wanted.empty()) return as_the_model_has_it(i, wanted);
    auto values = values_in_order(i);
    if (is_two_valued(values)) return zero_one(i);
    if (!known_.empty()) return left_out(i, "the model does not use it");
    if (is_identifier(i) && !options_.keep_ids) {
      return left_out(
          i, fmt::format("a distinct value on every row makes it an identifier ({} keeps it)",
                         option_text(Option::keep_ids)));
    }
    return one_hot(i, values);
  }

  /// Nominals keep their declared order; texts are sorted by byte. The empty text gets no column:
  /// it is the value of attributes that a sparse row does not mention.
  std::vector<std::string> values_in_order(std::size_t i) const {
    auto values = columns_[i].values->values();
    if (columns_[i].attribute->type == AttributeType::text) {
      std::erase(values, "");
      std::ranges::sort(values);
    }
    return values;
  }

  bool is_identifier(std::size_t i) const {
    return survey_.rows() >= 2 && survey_.distinct(i) == survey_.rows();
  }

  ColumnEncoding left_out(std::size_t i, std::string_view why) {
    options_.tell(fmt::format("left out {}: {}", shown(name(i)), why));
    return {.width = 0, .is_number = false, .column_of = {}};
  }

  ColumnEncoding zero_one(std::size_t i) {
    const auto& values = *columns_[i].values;
    ColumnEncoding encoding{.width = 1, .is_number = false, .column_of = {}};
    for (std::size_t code = 0; code < values.size(); ++code) {
      const auto truth = truth_of(values[code]);
      if (!truth && survey_.occurs(i, code) && !values[code].empty()) fail_as_one_column(i);
      encoding.column_of.push_back(truth.value_or(false) ? 0 : kNone);
    }
    plan_.names.push_back(name(i));
    return encoding;
  }

  [[noreturn]] void fail_as_one_column(std::size_t i) const {
    const auto& values = columns_[i].values->values();
    const auto strange = std::ranges::find_if(values, [](const std::string& value) {
      return !value.empty() && !truth_of(value) && !number_in(value);
    });
    throw InputError(fmt::format(
        "{}: attribute {} has {}, but the model uses it as one column "
        "of numbers",
        file_, shown(name(i)),
        strange == values.end() ? "values other than 0 and 1" : "the value " + shown(*strange)));
  }

  const std::vector<std::string_view>& sorted_names() {
    if (sorted_names_.empty()) {
      for (const auto& column : columns_) sorted_names_.emplace_back(column.attribute->name);
      std::ranges::sort(sorted_names_);
    }
    return sorted_names_;
  }

  /// The values that the model has columns for, except those that belong to an attribute of the
  /// file with a longer name.
  std::vector<std::string> known_values(std::size_t i) {
    auto values = known_.values_of(name(i));
    std::erase_if(values, [&](const std::string& value) {
      const std::string column = name(i) + "=" + value;
      return is_attribute(column) || is_value_of_longer(column, name(i).size() + 1);
    });
    return values;
  }

  bool is_attribute(std::string_view text) {
    return std::ranges::binary_search(sorted_names(), text);
  }

  /// Whether the text before an `=` of the column, at `from` or later, is an attribute.
  bool is_value_of_longer(std::string_view column, std::size_t from) {
    for (auto at = column.find('=', from); at != std::string_view::npos;
         at = column.find('=', at + 1)) {
      if (is_attribute(column.substr(0, at))) return true;
    }
    return false;
  }

  /// Its columns are named by it and a value, and must not be confused with those of another.
  void check_alone(std::size_t i) {
    const std::string prefix = name(i) + "=";
    const auto next = std::ranges::lower_bound(sorted_names(), prefix);
    if (next == sorted_names_.end() || !next->starts_with(prefix)) return;
    throw InputError(
        fmt::format("{}: attribute {} becomes a column per value, named {} and the value, and "
                    "attribute {} could be one of them: rename one, or leave it out ({})",
                    file_, shown(name(i)), shown(prefix), shown(*next), option_text(Option::drop)));
  }

  ColumnEncoding one_hot(std::size_t i, const std::vector<std::string>& values) {
    check_alone(i);
    const auto& codes = *columns_[i].values;
    ColumnEncoding encoding{.width = static_cast<FeatureId>(values.size()),
                            .is_number = false,
                            .column_of = std::vector<std::int32_t>(codes.size(), kNone)};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto code = codes.find(values[k]);
      if (code != ValueCodes::kUnknown) {
        encoding.column_of[as_size(code)] = static_cast<std::int32_t>(k);
      }
      plan_.names.push_back(name(i) + "=" + values[k]);
    }
    return encoding;
  }

  ColumnEncoding as_the_model_has_it(std::size_t i, const std::vector<std::string>& wanted) {
    auto encoding = one_hot(i, wanted);
    const auto& codes = *columns_[i].values;
    for (std::size_t code = 0; code < codes.size(); ++code) {
      if (encoding.column_of[code] != kNone || !survey_.occurs(i, code)) continue;
      if (codes[code].empty()) continue;
      options_.tell(
          fmt::format("{} has values that the model does not know, such as {}: all of "
                      "its columns are 0 there",
                      shown(name(i)), shown(codes[code])));
      break;
    }
    return encoding;
  }

  const ValueSurvey& survey_;
  const std::vector<FeatureColumn>& columns_;
  const std::string& file_;
  const ReadOptions& options_;
  KnownNames known_;
  std::vector<std::string_view> sorted_names_;  ///< of all attributes; empty until needed
  EncodingPlan plan_;
};

}  // namespace

bool ColumnEncoding::is_identity() const noexcept {
  if (is_number) return true;
  if (width != 1 || column_of.empty() || column_of.size() > 2) return false;
  return column_of.front() == kNone && (column_of.size() == 1 || column_of[1] == 0);
}

EncodingPlan plan_encoding(const ValueSurvey& survey, const std::string& file,
                           const ReadOptions& options) {
  return Planner(survey, file, options).plan();
}

bool depends_on_rows(const std::vector<FeatureColumn>& columns, const ReadOptions& options) {
  const KnownNames known(options.encode_like);
  return std::ranges::any_of(columns, [&](const FeatureColumn& column) {
    const auto& attribute = *column.attribute;
    if (attribute.type == AttributeType::numeric) return false;
    return attribute.type == AttributeType::text || !is_two_valued(attribute.values) ||
           known.one_hot(attribute.name);
  });
}

}  // namespace mugrad::formats
