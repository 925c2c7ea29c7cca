// SPDX-License-Identifier: MIT
#include "data/formats/table/value_codes.h"

#include <algorithm>
#include <cmath>

namespace mugrad::formats {
namespace {

constexpr std::size_t kFew = 8;

}  // namespace

ValueCodes::ValueCodes(std::vector<std::string> values) : values_(std::move(values)) {
  if (values_.size() <= kFew) return;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    code_.emplace(values_[i], static_cast<std::int32_t>(i));
  }
}

std::int32_t ValueCodes::find(std::string_view value) const noexcept {
  if (code_.empty()) {
    const auto found = std::ranges::find(values_, value);
    return found == values_.end() ? kUnknown : static_cast<std::int32_t>(found - values_.begin());
  }
  const auto found = code_.find(value);
  return found == code_.end() ? kUnknown : found->second;
}

std::int32_t ValueCodes::intern(std::string_view value) {
  if (const auto known = find(value); known != kUnknown) return known;
  const auto code = static_cast<std::int32_t>(values_.size());
  values_.emplace_back(value);
  if (!code_.empty()) {
    code_.emplace(value, code);
  } else if (values_.size() > kFew) {
    *this = ValueCodes(std::move(values_));
  }
  return code;
}

ValueSurvey::ValueSurvey(std::vector<FeatureColumn> columns)
    : columns_(std::move(columns)), seen_(columns_.size()) {}

void ValueSurvey::add(const RawFeatures& raw) {
  rows_ += raw.rows();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    seen_[i].rows_with.resize(columns_[i].values->size());
  }
  for (Index row = 0; row < raw.rows(); ++row) {
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      auto& seen = seen_[as_size(position)];
      if (std::isnan(value)) ++seen.missing;
      if (seen.rows_with.empty()) return;
      ++seen.stored;
      if (!std::isnan(value)) ++seen.rows_with[static_cast<std::size_t>(value)];
    });
  }
}

Index ValueSurvey::count(std::size_t column, std::size_t code) const noexcept {
  const auto& seen = seen_[column];
  if (code >= seen.rows_with.size()) return 0;
  // Rows that do not store the column have code 0.
  return seen.rows_with[code] + (code == 0 ? rows_ - seen.stored : 0);
}

Index ValueSurvey::distinct(std::size_t column) const noexcept {
  Index values = 0;
  for (std::size_t code = 0; code < seen_[column].rows_with.size(); ++code) {
    if (occurs(column, code)) ++values;
  }
  return values;
}

}  // namespace mugrad::formats
