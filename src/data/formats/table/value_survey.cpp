// SPDX-License-Identifier: MIT
#include "data/formats/table/value_survey.h"

#include <algorithm>
#include <cmath>

namespace mugrad::formats {

ValueSurvey::ValueSurvey(std::vector<FeatureColumn> columns)
    : columns_(std::move(columns)), seen_(columns_.size()) {}

void ValueSurvey::add(const RawFeatures& raw) {
  rows_ += raw.rows();
  bool nominals = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    seen_[i].code.resize(columns_[i].values->size());
    nominals = nominals || !seen_[i].code.empty();
  }
  if (!nominals) return;
  for (Index row = 0; row < raw.rows(); ++row) {
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      auto& seen = seen_[static_cast<std::size_t>(position)];
      if (seen.code.empty()) return;
      ++seen.stored;
      if (std::isnan(value)) return;
      const auto code = static_cast<std::size_t>(value);
      if (!seen.code[code]) ++seen.distinct;
      seen.code[code] = true;
    });
  }
}

bool ValueSurvey::occurs(std::size_t column, std::size_t code) const noexcept {
  const auto& seen = seen_[column];
  return code < seen.code.size() && (seen.code[code] || (code == 0 && is_implied(seen)));
}

Index ValueSurvey::distinct(std::size_t column) const noexcept {
  const auto& seen = seen_[column];
  const bool also_zero = !seen.code.empty() && !seen.code.front() && is_implied(seen);
  return seen.distinct + (also_zero ? 1 : 0);
}

}  // namespace mugrad::formats
