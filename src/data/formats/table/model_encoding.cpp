// SPDX-License-Identifier: MIT
#include "data/formats/table/model_encoding.h"

#include "data/formats/source_text.h"
#include "data/formats/table/generated_names.h"
#include "data/text/vocabulary.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace mugrad::formats {
namespace {

constexpr auto kNone = ColumnEncoding::kNone;
constexpr auto kMissing = ColumnEncoding::kMissing;
using Kind = ColumnEncoding::Kind;

ColumnRole role_of(const Attribute& attribute, const ColumnEncoding& encoding) {
  switch (encoding.kind) {
    case Kind::number:
      return ColumnRole::number;
    case Kind::values:
      return ColumnRole::category;
    case Kind::date:
      return ColumnRole::date;
    case Kind::terms:
      return ColumnRole::text;
    case Kind::nothing:
      break;
  }
  return attribute.type == AttributeType::unsupported ? ColumnRole::ignored
                                                      : ColumnRole::identifier;
}

EncodedColumn description(const Attribute& attribute, const ColumnEncoding& encoding) {
  EncodedColumn column{.name = attribute.name,
                       .role = role_of(attribute, encoding),
                       .first = encoding.first,
                       .width = encoding.width,
                       .marks_missing = encoding.marks_missing,
                       .has_other = encoding.other != kNone};
  if (!std::isnan(encoding.fill)) column.fill = encoding.fill;
  return column;
}

/// Whether names of features say everything about the column.
bool is_plain(const EncodedColumn& column) {
  const bool is_old = column.role == ColumnRole::number || column.role == ColumnRole::category;
  return is_old && !column.marks_missing && !column.has_other && !column.fill;
}

/// What follows the column and the character in these names of features.
std::vector<std::string> suffixes(const ReadOptions& options, const EncodedColumn& column,
                                  Index count, char before) {
  const std::string prefix = column.name + before;
  const auto& names = options.encode_like;
  std::vector<std::string> found;
  for (Index k = 0; k < count; ++k) {
    const auto& name = names[as_size(column.first + k)];
    if (!name.starts_with(prefix)) {
      throw InputError(
          fmt::format("the model's feature {} should be of the column {}, and its name "
                      "should start with {}",
                      shown(name), shown(column.name), shown(prefix)));
    }
    found.push_back(name.substr(prefix.size()));
  }
  return found;
}

/// A nominal of 0 and 1 where the model has a number. Other values count as missing.
void take_truths(const ValueCodes& codes, ColumnEncoding& encoding) {
  encoding.kind = Kind::values;
  encoding.is_of_model = true;
  encoding.other = kMissing;
  for (const auto& value : codes.values()) {
    const auto truth = truth_of(value);
    const bool is_zero = value.empty() || truth == false;
    encoding.column_of.push_back(truth == true ? 0 : is_zero ? kNone : kMissing);
  }
}

void take_values(const ValueSurvey& survey, std::size_t i, const EncodedColumn& column,
                 const ReadOptions& options, ColumnEncoding& encoding) {
  const auto& codes = *survey.columns()[i].values;
  const Index values = column.width - (column.marks_missing ? 1 : 0) - (column.has_other ? 1 : 0);
  const bool is_zero_one = values == 1 && options.encode_like[as_size(column.first)] == column.name;
  if (is_zero_one) return take_truths(codes, encoding);
  encoding.is_of_model = true;
  if (column.has_other) encoding.other = static_cast<std::int32_t>(values);
  encoding.column_of.assign(codes.size(), encoding.other);
  const auto names = suffixes(options, column, values, kBeforeValue);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto code = codes.find(names[k]);
    if (code != ValueCodes::kUnknown)
      encoding.column_of[as_size(code)] = static_cast<std::int32_t>(k);
  }
  if (const auto empty = codes.find(""); empty != ValueCodes::kUnknown) {
    encoding.column_of[as_size(empty)] = kNone;
  }
}

/// The vocabulary of a text of the model; empty if its terms are hashed.
std::vector<std::string> terms_of(const EncodedColumn& column, const ReadOptions& options) {
  if (options.encoding.text.hash_bits > 0) return {};
  return suffixes(options, column, column.width, kBeforeTerm);
}

/// The terms of the model, and those of the cells for which it has room.
std::vector<std::string> with_terms_of(const TextCells& text, const std::string& column,
                                       std::vector<std::string> terms, const ReadOptions& options) {
  ThreadPool pool(options.threads);
  const TextOptions& how = options.encoding.text;
  NewTerms found = learn_new_terms(text.cells(), terms, how, pool, options.progress);
  if (found.left_out > 0) {
    options.tell(
        fmt::format("left out {} new term{} of {}: with them, the model would have more than {}",
                    found.left_out, found.left_out == 1 ? "" : "s", shown(column),
                    option_text(Option::max_terms, std::to_string(how.max_terms))));
  }
  terms.insert(terms.end(), std::make_move_iterator(found.terms.begin()),
               std::make_move_iterator(found.terms.end()));
  std::ranges::sort(terms);
  return terms;
}

/// Gives the columns of the model their places among the features of a plan whose texts have grown,
/// and names all features.
class Places {
 public:
  Places(const ReadOptions& options, EncodingPlan& plan) : options_(options), plan_(plan) {
    plan_.encoding = options.encoding;
    std::vector<EncodedColumn*> in_order;
    for (auto& column : plan_.encoding.columns) {
      if (column.width > 0) in_order.push_back(&column);
    }
    std::ranges::sort(in_order, {}, &EncodedColumn::first);
    for (auto& column : plan_.columns) planned_.emplace(column.attribute, &column);
    for (EncodedColumn* const column : in_order) place(*column);
    plan_.width = std::ssize(plan_.names);
  }

 private:
  void place(EncodedColumn& column) {
    const auto found = planned_.find(column.name);
    ColumnEncoding* const planned = found == planned_.end() ? nullptr : found->second;
    const auto first = std::ssize(plan_.names);
    const bool has_grown = planned != nullptr && planned->width != column.width;
    if (has_grown) {
      append_term_names(column.name, planned->vocabulary, planned->width, plan_.names);
    } else {
      const auto from = options_.encode_like.begin() + column.first;
      plan_.names.insert(plan_.names.end(), from, from + column.width);
    }
    column.first = first;
    column.width = std::ssize(plan_.names) - first;
    if (planned != nullptr) planned->first = static_cast<FeatureId>(first);
  }

  const ReadOptions& options_;
  EncodingPlan& plan_;
  std::map<std::string_view, ColumnEncoding*> planned_;  ///< by the names of their attributes
};

/// Throws InputError if a file declares another type than the model's.
void check_type(const Attribute& attribute, const EncodedColumn& column) {
  using enum AttributeType;
  const auto type = attribute.type;
  const bool is_nominal = type == nominal || type == category;
  const bool fits = column.role == ColumnRole::category ? is_nominal
                    : column.role == ColumnRole::number
                        ? type == numeric || is_two_valued(attribute.values)
                    : column.role == ColumnRole::text ? type == text
                    : column.role == ColumnRole::date ? type == date
                                                      : true;
  if (fits) return;
  throw InputError(fmt::format("the model uses {} as a {}, and the file declares another type",
                               shown(attribute.name), to_string(column.role)));
}

ColumnEncoding text_encoding(const EncodedColumn& column, std::vector<std::string> terms,
                             const ReadOptions& options) {
  ColumnEncoding encoding{.kind = Kind::terms,
                          .attribute = column.name,
                          .first = static_cast<FeatureId>(column.first),
                          .vocabulary = std::move(terms)};
  encoding.terms = std::make_shared<const TermCounter>(encoding.vocabulary, options.encoding.text);
  encoding.width = static_cast<FeatureId>(encoding.terms->features());
  return encoding;
}

ColumnEncoding encoding_of(const ValueSurvey& survey, std::size_t i, const EncodedColumn& column,
                           const ReadOptions& options) {
  ColumnEncoding encoding{.attribute = column.name,
                          .first = static_cast<FeatureId>(column.first),
                          .width = static_cast<FeatureId>(column.width),
                          .marks_missing = column.marks_missing};
  if (column.fill) encoding.fill = *column.fill;
  const auto& [attribute, codes] = survey.columns()[i];
  check_type(*attribute, column);
  switch (column.role) {
    case ColumnRole::category:
      encoding.kind = Kind::values;
      take_values(survey, i, column, options, encoding);
      break;
    case ColumnRole::text:
      return text_encoding(column, terms_of(column, options), options);
    case ColumnRole::date:
      encoding.kind = Kind::date;
      break;
    case ColumnRole::number:
      if (attribute->type != AttributeType::numeric) take_truths(*codes, encoding);
      break;
    default:
      encoding.kind = Kind::nothing;
  }
  return encoding;
}

}  // namespace

bool learns_terms(const ReadOptions& options) {
  return options.learn_terms && options.encoding.text.hash_bits == 0 &&
         std::ranges::any_of(options.encoding.columns, [](const EncodedColumn& column) {
           return column.role == ColumnRole::text && column.width > 0;
         });
}

EncodingPlan plan_of_model(const SurveyedRows& rows, const ReadOptions& options) {
  const ValueSurvey& survey = rows.values;
  const bool learns = learns_terms(options);
  if (learns && rows.block == nullptr) {
    throw InputError("terms of texts cannot be learned while rows are read in blocks");
  }
  EncodingPlan plan;
  plan.width = std::ssize(options.encode_like);
  std::map<std::string_view, const EncodedColumn*> by_name;
  for (const auto& column : options.encoding.columns) by_name.emplace(column.name, &column);
  std::size_t texts = 0;
  for (std::size_t i = 0; i < survey.columns().size(); ++i) {
    const auto& name = survey.columns()[i].attribute->name;
    const auto found = by_name.find(name);
    plan.columns.push_back(
        found == by_name.end()
            ? ColumnEncoding{.kind = Kind::nothing, .attribute = name, .width = 0}
            : encoding_of(survey, i, *found->second, options));
    auto& column = plan.columns.back();
    if (column.kind != Kind::terms) continue;
    const std::size_t text = texts++;
    if (!learns || column.width == 0) continue;
    column = text_encoding(
        *found->second,
        with_terms_of(rows.block->texts[text], name, std::move(column.vocabulary), options),
        options);
  }
  if (learns) Places(options, plan);
  return plan;
}

TableEncoding described(const std::vector<FeatureColumn>& columns, const EncodingPlan& plan,
                        const TableColumns& table, const ReadOptions& options) {
  TableEncoding encoding{.text = options.text};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    encoding.columns.push_back(description(*columns[i].attribute, plan.columns[i]));
  }
  for (std::size_t i = 0; i < table.dropped.size(); ++i) {
    const auto& attribute = table.header.attributes[i];
    if (attribute.type == AttributeType::tags) {
      encoding.columns.push_back(
          {.name = attribute.name, .role = ColumnRole::tags, .separator = table.separator});
    } else if (attribute.type == AttributeType::identifier && !table.dropped[i]) {
      encoding.columns.push_back({.name = attribute.name, .role = ColumnRole::identifier});
    }
  }
  return std::ranges::all_of(encoding.columns, is_plain) ? TableEncoding{} : encoding;
}

}  // namespace mugrad::formats
