// SPDX-License-Identifier: MIT
#include "data/formats/table/encoding_plan.h"

#include "data/date_features.h"
#include "data/formats/source_text.h"
#include "data/formats/table/category_plan.h"
#include "data/formats/table/fill_values.h"
#include "data/formats/table/generated_names.h"
#include "data/formats/table/known_names.h"
#include "data/formats/table/model_encoding.h"
#include "data/text/vocabulary.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad::formats {
namespace {

using Kind = ColumnEncoding::Kind;

/// So many missing values, and this share of the rows, tell something of their own.
constexpr Index kFewMissing = 10;
constexpr double kFewMissingShare = 0.01;

class Planner {
 public:
  Planner(const SurveyedRows& rows, const std::string& file, const ReadOptions& options)
      : survey_(rows.values),
        block_(rows.block),
        columns_(survey_.columns()),
        file_(file),
        options_(options),
        known_(options.encode_like),
        names_(columns_, file),
        categories_(survey_, file, options, known_, names_) {}

  EncodingPlan plan() {
    find_fills();
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
        return categories_.plan(i, plan_.names);
    }
  }

  /// What takes the place of missing values: in columns of numbers that have some, and in dates,
  /// where rows that follow may have some.
  void find_fills() {
    fill_.assign(columns_.size(), std::numeric_limits<double>::quiet_NaN());
    if (block_ == nullptr || !known_.empty()) return;
    std::vector<FeatureId> wanted;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto type = columns_[i].attribute->type;
      const bool is_gappy = type == AttributeType::numeric && fills_in() && survey_.missing(i) > 0;
      if (is_gappy || type == AttributeType::date) wanted.push_back(static_cast<FeatureId>(i));
    }
    const auto values = options_.missing == Missing::median
                            ? medians_of(block_->raw, wanted, options_.progress)
                            : means_of(block_->raw, wanted, options_.progress);
    for (std::size_t k = 0; k < wanted.size(); ++k) fill_[as_size(wanted[k])] = values[k];
  }

  bool fills_in() const { return options_.missing == Missing::median && known_.empty(); }

  /// Fills in missing numbers and dates, and marks them if there are many.
  void fill_in(std::size_t i, ColumnEncoding& encoding) {
    encoding.fill = fill_[i];
    const Index missing = survey_.missing(i);
    if (missing == 0 || !fills_in()) return;
    if (missing == survey_.rows()) {
      options_.tell(
          fmt::format("every value of {} is missing: 0 takes their place", shown(name(i))));
    }
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
    ColumnEncoding encoding{.kind = Kind::date, .width = kDateFeatures};
    for (auto& part : date_names(name(i))) plan_.names.push_back(std::move(part));
    fill_in(i, encoding);
    return encoding;
  }

  /// The vocabulary of a text; empty if its terms are hashed.
  std::vector<std::string> terms_of(std::size_t i) {
    const auto cells = block_->texts[texts_++].cells();
    if (options_.text.hash_bits > 0) {
      require_memory_for_hashed_terms(name(i), options_.text.hash_bits);
      return {};
    }
    ThreadPool pool(options_.threads);
    return learn_vocabulary(cells, options_.text, pool, options_.progress);
  }

  ColumnEncoding text(std::size_t i) {
    if (block_ == nullptr) {
      throw InputError(
          fmt::format("{}: the terms of the text {} cannot be known while rows are read in blocks",
                      file_, shown(name(i))));
    }
    names_.check_alone(name(i), kBeforeTerm);
    const auto terms = terms_of(i);
    require_memory_for_terms(name(i), terms);
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

  const ValueSurvey& survey_;
  const TableBlock* block_;
  const std::vector<FeatureColumn>& columns_;
  const std::string& file_;
  const ReadOptions& options_;
  KnownNames known_;
  ColumnNameCheck names_;
  CategoryPlanner categories_;
  std::vector<double> fill_;  ///< of each column; NaN: missing values stay missing
  std::size_t texts_ = 0;     ///< columns of words so far
  EncodingPlan plan_;
};

}  // namespace

bool ColumnEncoding::is_identity() const noexcept {
  if (kind == Kind::number) return width == 1 && std::isnan(fill);
  const bool is_one = kind == Kind::values && width == 1 && std::isnan(fill) && other == kNone;
  if (!is_one || column_of.empty() || column_of.size() > 2) return false;
  return column_of.front() == kNone && (column_of.size() == 1 || column_of[1] == 0);
}

bool ColumnEncoding::expands_zero() const noexcept {
  if (kind == Kind::date || kind == Kind::terms) return true;
  return kind == Kind::values && !column_of.empty() && column_of.front() != kNone;
}

EncodingPlan plan_encoding(const SurveyedRows& rows, const TableColumns& table,
                           const std::string& file, const ReadOptions& options) {
  if (!options.encoding.is_empty()) return plan_of_model(rows, options);
  EncodingPlan plan = Planner(rows, file, options).plan();
  if (options.encode_like.empty()) {
    check_distinct_names(plan, table, file);
    plan.encoding = described(rows.values.columns(), plan, table, options);
  }
  return plan;
}

bool depends_on_rows(const std::vector<FeatureColumn>& columns, const ReadOptions& options) {
  if (!options.encoding.is_empty()) return learns_terms(options);
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
