// SPDX-License-Identifier: MIT
#include "data/formats/table/encoding_plan.h"

#include "core/printable.h"
#include "data/formats/number.h"
#include "data/formats/source_text.h"
#include "data/formats/table/generated_names.h"
#include "data/formats/table/known_names.h"
#include "data/formats/table/model_encoding.h"
#include "data/text/vocabulary.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

namespace mugrad::formats {
namespace {

constexpr auto kNone = ColumnEncoding::kNone;
using Kind = ColumnEncoding::Kind;

/// A category has at most so many columns; its rarest values share one.
constexpr std::size_t kMostValues = 1000;
/// So many missing values, and this share of the rows, tell something of their own.
constexpr Index kFewMissing = 10;
constexpr double kFewMissingShare = 0.01;

/// The median of the values of a column that are not missing; 0 without any.
double median_of(const RawFeatures& raw, std::size_t column) {
  std::vector<double> values;
  Index stored = 0;
  for (Index row = 0; row < raw.rows(); ++row) {
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      if (as_size(position) != column) return;
      ++stored;
      if (!std::isnan(value)) values.push_back(value);
    });
  }
  values.resize(values.size() + as_size(raw.rows() - stored), 0);
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

class Planner {
 public:
  Planner(const SurveyedRows& rows, const std::string& file, const ReadOptions& options)
      : survey_(rows.values),
        block_(rows.block),
        columns_(survey_.columns()),
        file_(file),
        options_(options),
        known_(options.encode_like),
        names_(columns_, file) {}

  EncodingPlan plan() {
    for (std::size_t i = 0; i < columns_.size(); ++i) add(i, encoding_of(i));
    plan_.width = std::ssize(plan_.names);
    return std::move(plan_);
  }

 private:
  const std::string& name(std::size_t i) const { return columns_[i].attribute->name; }

  void add(std::size_t i, ColumnEncoding encoding) {
    encoding.attribute = name(i);
    encoding.first = static_cast<FeatureId>(plan_.names.size() - as_size(encoding.width));
    plan_.columns.push_back(std::move(encoding));
  }

  ColumnEncoding encoding_of(std::size_t i) {
    switch (columns_[i].attribute->type) {
      case AttributeType::numeric:
        return number(i);
      case AttributeType::date:
        return date(i);
      case AttributeType::text:
        return text(i);
      default:
        return nominal(i);
    }
  }

  bool fills_in() const { return options_.missing == Missing::median && known_.empty(); }

  /// Fills in missing numbers, and marks them if there are many.
  void fill_in(std::size_t i, ColumnEncoding& encoding) {
    const Index missing = survey_.missing(i);
    if (missing == 0 || !fills_in()) return;
    if (missing == survey_.rows()) {
      options_.tell(
          fmt::format("every value of {} is missing: 0 takes their place", shown(name(i))));
    }
    encoding.fill = block_ == nullptr ? 0 : median_of(block_->raw, i);
    mark_missing(i, missing, encoding);
  }

  void mark_missing(std::size_t i, Index missing, ColumnEncoding& encoding) {
    const double share = static_cast<double>(missing) / static_cast<double>(survey_.rows());
    if (missing < kFewMissing || share < kFewMissingShare || missing == survey_.rows()) return;
    encoding.marks_missing = true;
    ++encoding.width;
    plan_.names.push_back(missing_number_name(name(i)));
  }

  ColumnEncoding number(std::size_t i) {
    ColumnEncoding encoding;
    plan_.names.push_back(name(i));
    fill_in(i, encoding);
    return encoding;
  }

  ColumnEncoding date(std::size_t i) {
    ColumnEncoding encoding{.kind = Kind::date, .width = kDateParts};
    for (auto& part : date_names(name(i))) plan_.names.push_back(std::move(part));
    fill_in(i, encoding);
    if (std::isnan(encoding.fill)) encoding.fill = 0;
    return encoding;
  }

  ColumnEncoding text(std::size_t i) {
    if (block_ == nullptr) {
      throw InputError(
          fmt::format("{}: the terms of the text {} cannot be known while rows are read in blocks",
                      file_, shown(name(i))));
    }
    names_.check_alone(name(i), kBeforeTerm);
    const auto cells = block_->texts[texts_++].cells();
    ThreadPool pool(options_.threads);
    std::vector<std::string> terms;  // none are named if they are hashed
    if (options_.text.hash_bits == 0) {
      terms = learn_vocabulary(cells, options_.text, pool, options_.progress);
    }
    ColumnEncoding encoding{.kind = Kind::terms,
                            .terms = std::make_shared<const TermCounter>(terms, options_.text)};
    encoding.width = static_cast<FeatureId>(encoding.terms->features());
    append_term_names(name(i), terms, encoding.terms->features(), plan_.names);
    if (encoding.width == 0) {
      options_.tell(fmt::format("{} has no term that occurs in {} texts", shown(name(i)),
                                options_.text.min_documents));
    }
    return encoding;
  }

  ColumnEncoding nominal(std::size_t i) {
    if (known_.has(name(i))) return zero_one(i);
    const auto wanted = known_values(i);
    if (!wanted.empty()) return as_the_model_has_it(i, wanted);
    auto values = values_in_order(i);
    if (is_two_valued(values)) return marked_zero_one(i);
    if (!known_.empty()) return left_out(i, "the model does not use it");
    if (is_identifier(i) && !options_.keep_ids) {
      return left_out(
          i, fmt::format("a distinct value on every row makes it an identifier ({} keeps it)",
                         option_text(Option::keep_ids)));
    }
    const bool has_rare = values.size() > kMostValues;
    if (has_rare) keep_most_frequent(i, values);
    auto encoding = one_hot(i, values);
    if (has_rare) {
      encoding.other = encoding.width++;
      plan_.names.push_back(value_name(name(i), kOtherValue));
    }
    if (fills_in() && survey_.missing(i) > 0) {
      encoding.fill = 0;
      encoding.marks_missing = true;
      ++encoding.width;
      plan_.names.push_back(value_name(name(i), kMissingValue));
    }
    return encoding;
  }

  /// Nominals keep their declared order; texts are sorted by byte. The empty text gets no column:
  /// it is the value of attributes that a sparse row does not mention.
  std::vector<std::string> values_in_order(std::size_t i) const {
    auto values = columns_[i].values->values();
    if (columns_[i].attribute->type == AttributeType::category) {
      std::erase(values, "");
      std::ranges::sort(values);
    }
    return values;
  }

  /// Keeps the most frequent values, in their order.
  void keep_most_frequent(std::size_t i, std::vector<std::string>& values) {
    const auto& codes = *columns_[i].values;
    const auto rows_with = [&](const std::string& value) {
      return survey_.count(i, as_size(codes.find(value)));
    };
    std::vector<std::string> kept = values;
    std::ranges::stable_sort(kept, std::ranges::greater{}, rows_with);
    const Index least = rows_with(kept[kMostValues - 1]);
    kept.resize(kMostValues);
    options_.tell(fmt::format(
        "{} has {} values: the {} most frequent, in {} rows or more, get a column each, and the "
        "others share one ({} leaves it out, {} reads its words)",
        shown(name(i)), values.size(), kMostValues, least, option_text(Option::drop, name(i)),
        option_text(Option::text_columns, name(i))));
    std::ranges::sort(kept);
    std::erase_if(values,
                  [&](const auto& value) { return !std::ranges::binary_search(kept, value); });
  }

  bool is_identifier(std::size_t i) const {
    return survey_.rows() >= 2 && survey_.distinct(i) == survey_.rows() &&
           !columns_[i].attribute->is_lenient;
  }

  ColumnEncoding left_out(std::size_t i, std::string_view why) {
    options_.tell(fmt::format("left out {}: {}", shown(name(i)), why));
    return {.kind = Kind::nothing, .width = 0};
  }

  ColumnEncoding zero_one(std::size_t i) {
    const auto& values = *columns_[i].values;
    ColumnEncoding encoding{.kind = Kind::values};
    for (std::size_t code = 0; code < values.size(); ++code) {
      const auto truth = truth_of(values[code]);
      if (!truth && survey_.occurs(i, code) && !values[code].empty()) fail_as_one_column(i);
      encoding.column_of.push_back(truth.value_or(false) ? 0 : kNone);
    }
    plan_.names.push_back(name(i));
    return encoding;
  }

  ColumnEncoding marked_zero_one(std::size_t i) {
    ColumnEncoding encoding = zero_one(i);
    if (!fills_in() || survey_.missing(i) == 0) return encoding;
    encoding.fill = 0;
    mark_missing(i, survey_.missing(i), encoding);
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

  /// The values that the model has columns for, except those that belong to an attribute of the
  /// file with a longer name.
  std::vector<std::string> known_values(std::size_t i) {
    auto values = known_.values_of(name(i));
    std::erase_if(values, [&](const std::string& value) {
      return names_.is_of_longer(value_name(name(i), value), name(i).size() + 1);
    });
    return values;
  }

  ColumnEncoding one_hot(std::size_t i, const std::vector<std::string>& values) {
    names_.check_alone(name(i), kBeforeValue);
    const auto& codes = *columns_[i].values;
    ColumnEncoding encoding{.kind = Kind::values,
                            .attribute = name(i),
                            .width = static_cast<FeatureId>(values.size()),
                            .column_of = std::vector<std::int32_t>(codes.size(), kNone)};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto code = codes.find(values[k]);
      if (code != ValueCodes::kUnknown) {
        encoding.column_of[as_size(code)] = static_cast<std::int32_t>(k);
      }
      plan_.names.push_back(value_name(name(i), values[k]));
    }
    return encoding;
  }

  ColumnEncoding as_the_model_has_it(std::size_t i, const std::vector<std::string>& wanted) {
    auto encoding = one_hot(i, wanted);
    tell_unknown_value(survey_, i, encoding, options_);
    return encoding;
  }

  const ValueSurvey& survey_;
  const TableBlock* block_;
  const std::vector<FeatureColumn>& columns_;
  const std::string& file_;
  const ReadOptions& options_;
  KnownNames known_;
  ColumnNameCheck names_;
  std::size_t texts_ = 0;  ///< columns of words so far
  EncodingPlan plan_;
};

}  // namespace

bool ColumnEncoding::is_identity() const noexcept {
  if (kind == Kind::number) return width == 1 && std::isnan(fill);
  if (kind != Kind::values || width != 1 || column_of.empty() || column_of.size() > 2) return false;
  return column_of.front() == kNone && (column_of.size() == 1 || column_of[1] == 0);
}

bool ColumnEncoding::expands_zero() const noexcept {
  if (kind == Kind::date || kind == Kind::terms) return true;
  return kind == Kind::values && !column_of.empty() && column_of.front() != kNone;
}

EncodingPlan plan_encoding(const SurveyedRows& rows, const TableColumns& table,
                           const std::string& file, const ReadOptions& options) {
  if (!options.encoding.is_empty()) return plan_of_model(rows.values, options);
  EncodingPlan plan = Planner(rows, file, options).plan();
  if (options.encode_like.empty()) {
    plan.encoding = described(rows.values.columns(), plan, table, options);
  }
  return plan;
}

bool depends_on_rows(const std::vector<FeatureColumn>& columns, const ReadOptions& options) {
  if (!options.encoding.is_empty()) return false;
  const KnownNames known(options.encode_like);
  return std::ranges::any_of(columns, [&](const FeatureColumn& column) {
    const auto& attribute = *column.attribute;
    if (attribute.type == AttributeType::numeric || attribute.type == AttributeType::date) {
      return false;
    }
    return attribute.type != AttributeType::nominal || !is_two_valued(attribute.values) ||
           known.one_hot(attribute.name);
  });
}

}  // namespace mugrad::formats
