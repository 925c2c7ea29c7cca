// SPDX-License-Identifier: MIT
#include "data/formats/table/encoding.h"

#include "data/formats/source_text.h"
#include "data/formats/table/generated_names.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace mugrad::formats {
namespace {

/// A dense matrix larger than this (16 GiB) comes from a text treated as nominal, not from data.
constexpr Index kMostDenseCells = Index{1} << 31;

using Kind = ColumnEncoding::Kind;

/// The parts of a date, in the order of date_names(). Parts of a second do not count: most hours
/// are no exact share of a day.
std::array<double, kDateFeatures> date_parts(double days) {
  constexpr Index kSecondsPerHour = 3600;
  constexpr Index kSecondsPerDay = 24 * kSecondsPerHour;
  const Index seconds = std::llround(days * kSecondsPerDay);
  const Index from_midnight = (seconds % kSecondsPerDay + kSecondsPerDay) % kSecondsPerDay;
  const std::chrono::sys_days date{std::chrono::days((seconds - from_midnight) / kSecondsPerDay)};
  const std::chrono::year_month_day calendar(date);
  return {days, static_cast<double>(static_cast<unsigned>(calendar.month())),
          static_cast<double>(std::chrono::weekday(date).iso_encoding()),
          static_cast<double>(from_midnight / kSecondsPerHour)};
}

/// Calls put(column, value) for the non-zero columns of one raw value that is not missing,
/// ascending.
template <class Put>
void expand_present(const ColumnEncoding& encoding, double raw, Put&& put) {
  if (encoding.kind == Kind::number) {
    if (raw != 0) put(encoding.first, raw);
  } else if (encoding.kind == Kind::date) {
    const auto parts = date_parts(raw);
    for (FeatureId k = 0; k < kDateFeatures; ++k) {
      if (parts[as_size(k)] != 0) put(encoding.first + k, parts[as_size(k)]);
    }
  } else if (encoding.kind == Kind::values) {
    const auto k = encoding.column_for(static_cast<std::size_t>(raw));
    if (k >= 0) put(encoding.first + k, 1.0);
  }
}

/// The same for any raw value. A missing value that is not filled in is NaN in all columns.
template <class Put>
void expand(const ColumnEncoding& encoding, double raw, Put&& put) {
  if (encoding.kind == Kind::nothing) return;
  const bool is_unknown = encoding.kind == Kind::values && encoding.means_missing(raw);
  if (!is_unknown && !std::isnan(raw)) return expand_present(encoding, raw, put);
  const FeatureId values = encoding.width - (encoding.marks_missing ? 1 : 0);
  if (!std::isnan(encoding.fill)) {
    if (encoding.kind != Kind::values) expand_present(encoding, encoding.fill, put);
  } else if (!encoding.marks_missing) {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    for (FeatureId k = 0; k < values; ++k) put(encoding.first + k, kMissing);
  }
  if (encoding.marks_missing) put(encoding.first + values, 1.0);
}

void check_size(const EncodingPlan& plan, const RawFeatures& raw, const std::string& file) {
  if (plan.width == 0 || raw.rows() <= kMostDenseCells / plan.width) return;
  const auto widest = std::ranges::max_element(plan.columns, {}, &ColumnEncoding::width);
  if (widest->width == 1) return;
  throw InputError(fmt::format(
      "{}: attribute {} has {} values, too many for one column each; "
      "{} drops it",
      file, shown(widest->attribute), widest->width, option_text(Option::drop, widest->attribute)));
}

Matrix<double> expand_dense(const RawFeatures& raw, const EncodingPlan& plan) {
  Matrix<double> result(raw.rows(), plan.width);
  for (Index row = 0; row < raw.rows(); ++row) {
    auto out = result.row(row);
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      expand(plan.columns[as_size(position)], value,
             [&](FeatureId column, double made) { out[as_size(column)] = made; });
    });
  }
  return result;
}

/// Makes sparse rows. Besides the stored entries, a row has the columns of texts, and the
/// attributes whose first value sets a column to 1.
class SparseExpansion {
 public:
  SparseExpansion(const EncodingPlan& plan, std::vector<CsrMatrix<double>> terms)
      : plan_(plan), terms_(std::move(terms)) {
    FeatureId end = 0;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const auto& column = plan.columns[i];
      if (column.expands_zero()) implied_.push_back(static_cast<FeatureId>(i));
      text_of_.push_back(texts_);
      if (column.kind == Kind::terms) ++texts_;
      if (column.kind == Kind::nothing) continue;
      is_ordered_ = is_ordered_ && column.first >= end;
      end = column.first + column.width;
    }
    result_.cols = plan.width;
  }

  CsrMatrix<double> of(const RawFeatures& raw) && {
    for (row_ = 0; row_ < raw.rows(); ++row_) {
      const auto begin = result_.column.size();
      add_row(raw);
      if (!is_ordered_) sort_from(begin);
      result_.end_row();
    }
    return std::move(result_);
  }

 private:
  void add_row(const RawFeatures& raw) {
    auto next = implied_.begin();
    raw.for_each_in_row(row_, [&](FeatureId position, double value) {
      for (; next != implied_.end() && *next < position; ++next) add(*next, 0);
      if (next != implied_.end() && *next == position) ++next;
      add(position, value);
    });
    for (; next != implied_.end(); ++next) add(*next, 0);
  }

  void add(FeatureId position, double raw) {
    const auto& encoding = plan_.columns[as_size(position)];
    if (encoding.kind == Kind::terms) return add_terms(encoding, text_of_[as_size(position)]);
    expand(encoding, raw, [&](FeatureId column, double value) { put(column, value); });
  }

  void add_terms(const ColumnEncoding& encoding, std::size_t text) {
    const auto columns = terms_[text].row_columns(row_);
    const auto values = terms_[text].row_values(row_);
    for (std::size_t k = 0; k < columns.size(); ++k) put(encoding.first + columns[k], values[k]);
  }

  void put(FeatureId column, double value) {
    result_.column.push_back(column);
    result_.value.push_back(value);
  }

  /// The columns of a model may be in another order than those of the file.
  void sort_from(std::size_t begin) {
    entries_.clear();
    for (std::size_t k = begin; k < result_.column.size(); ++k) {
      entries_.emplace_back(result_.column[k], result_.value[k]);
    }
    std::ranges::sort(entries_, {}, &std::pair<FeatureId, double>::first);
    for (const auto& [column, value] : entries_) {
      result_.column[begin] = column;
      result_.value[begin++] = value;
    }
  }

  const EncodingPlan& plan_;
  std::vector<CsrMatrix<double>> terms_;  ///< of each text
  std::vector<std::size_t> text_of_;      ///< of each position: the texts before it
  std::vector<FeatureId> implied_;
  std::size_t texts_ = 0;
  bool is_ordered_ = true;
  Index row_ = 0;
  std::vector<std::pair<FeatureId, double>> entries_;
  CsrMatrix<double> result_;
};

std::vector<CsrMatrix<double>> counted_terms(const TableBlock& block, const EncodingPlan& plan,
                                             const ReadOptions& options) {
  std::vector<CsrMatrix<double>> terms;
  if (block.texts.empty()) return terms;
  ThreadPool pool(options.threads);
  for (const auto& column : plan.columns) {
    if (column.kind != Kind::terms) continue;
    terms.push_back(column.terms->count(block.texts[terms.size()].cells(), pool));
  }
  return terms;
}

/// The rows of a column with unknown values, and the first of these values.
struct Unknown {
  Index rows = 0;
  std::size_t code = 0;
};

Unknown unknown_of(const ValueSurvey& survey, std::size_t column, const ColumnEncoding& encoding) {
  const auto& codes = *survey.columns()[column].values;
  Unknown unknown;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    if (encoding.column_for(code) != encoding.other || codes[code].empty()) continue;
    const Index rows = survey.count(column, code);
    if (unknown.rows == 0) unknown.code = code;
    unknown.rows += rows;
  }
  return unknown;
}

std::string_view consequence(const ColumnEncoding& encoding) {
  if (encoding.other == ColumnEncoding::kNone) return "all of its columns are 0 there";
  if (encoding.other == ColumnEncoding::kMissing) return "counted as missing";
  return "they share a column with rare values";
}

}  // namespace

double encoded_density(const RawFeatures& raw, const EncodingPlan& plan, Index rows) {
  assert(!raw.is_sparse() && rows <= raw.rows());
  const double cells = static_cast<double>(rows) * static_cast<double>(plan.width);
  Index entries = 0;
  for (Index row = 0; row < rows; ++row) {
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      expand(plan.columns[as_size(position)], value, [&](FeatureId, double) { ++entries; });
    });
  }
  return cells == 0 ? 1 : static_cast<double>(entries) / cells;
}

Features encode(TableBlock& block, const EncodingPlan& plan, const std::string& file,
                const ReadOptions& options) {
  const auto is_identity = [&] {
    FeatureId next = 0;
    return std::ranges::all_of(plan.columns, [&](const ColumnEncoding& column) {
      return column.is_identity() && column.first == next++;
    });
  };
  if (is_identity() && std::ssize(plan.columns) == plan.width) return std::move(block.raw).take();
  if (block.raw.is_sparse()) {
    return SparseExpansion(plan, counted_terms(block, plan, options)).of(block.raw);
  }
  check_size(plan, block.raw, file);
  return expand_dense(block.raw, plan);
}

void UnknownValues::tell(const RawFeatures& block, const std::vector<FeatureColumn>& columns,
                         const EncodingPlan& plan, bool has_all_rows, const ReadOptions& options) {
  if (std::ranges::none_of(plan.columns, &ColumnEncoding::is_of_model)) return;
  is_told_.resize(columns.size());
  ValueSurvey survey(columns);
  survey.add(block);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& encoding = plan.columns[i];
    if (!encoding.is_of_model || is_told_[i]) continue;
    const Unknown unknown = unknown_of(survey, i, encoding);
    if (unknown.rows == 0) continue;
    is_told_[i] = true;
    const std::string number =
        has_all_rows ? fmt::format(" in {} row{}", unknown.rows, unknown.rows == 1 ? "" : "s") : "";
    options.tell(fmt::format("{} has values that the model does not know{}, such as {}: {}",
                             shown(encoding.attribute), number,
                             shown((*columns[i].values)[unknown.code]), consequence(encoding)));
  }
}

}  // namespace mugrad::formats
