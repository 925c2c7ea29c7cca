// SPDX-License-Identifier: MIT
#include "data/formats/table/column_names.h"

#include "core/utf8.h"
#include "data/formats/number.h"
#include "data/formats/source_text.h"
#include "data/formats/table/attribute.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace mugrad::formats {
namespace {

std::vector<std::string> given_or_made(const std::vector<std::string>& names, Index count,
                                       char prefix) {
  if (!names.empty() || count == 0) return names;
  std::vector<std::string> made;
  made.reserve(as_size(count));
  for (Index i = 0; i < count; ++i) made.push_back(fmt::format("{}{}", prefix, i));
  return made;
}

void check_names(const std::vector<std::string>& names,
                 std::unordered_set<std::string_view>& seen) {
  for (const auto& name : names) {
    if (name.empty()) throw InputError("a column without a name cannot be written");
    const bool unprintable = std::ranges::any_of(name, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
    });
    if (unprintable) {
      throw InputError(
          fmt::format("the name {} cannot be written: it contains control bytes", shown(name)));
    }
    // Readers would convert it from Latin-1 to another name.
    if (!is_utf8(name)) {
      throw InputError(fmt::format("the name {} cannot be written: it is not UTF-8", shown(name)));
    }
    // Readers would refuse it.
    if (name.size() > kLongestName) {
      throw InputError(fmt::format("the name {} cannot be written: it has {} bytes, more than {}",
                                   shown(name), name.size(), kLongestName));
    }
    if (!seen.insert(name).second) {
      throw InputError(
          fmt::format("two columns are called {}; names must differ to be written", shown(name)));
    }
  }
}

}  // namespace

ColumnNames column_names(const Dataset& data) {
  // Data from a sparse format may have far more columns than entries, without names.
  constexpr double kPerColumn = 100;  // a name, its position and its text
  const double columns = static_cast<double>(data.features()) + static_cast<double>(data.labels());
  require_memory({"names of columns", kPerColumn * columns},
                 fmt::format("writing {} with a name for each of its {} columns", data.name,
                             data.features() + data.labels()),
                 "a format without names, such as LIBSVM or XMC,");
  ColumnNames names{given_or_made(data.feature_names, data.features(), 'f'),
                    given_or_made(data.label_names, data.labels(), 'l')};
  if (names.features.empty() && names.labels.empty()) {
    throw InputError("a data set without features and labels cannot be written");
  }
  std::unordered_set<std::string_view> seen;
  check_names(names.features, seen);
  check_names(names.labels, seen);
  return names;
}

bool are_measurements(std::span<const std::string_view> names) {
  const auto is_number = [](std::string_view name) { return number_in(name).has_value(); };
  const auto is_whole = [](std::string_view name) { return integer_in(name).has_value(); };
  return std::ranges::all_of(names, is_number) && !std::ranges::all_of(names, is_whole);
}

void check_values(const Dataset& data, bool may_be_missing, std::string_view format) {
  for (Index row = 0; row < data.rows(); ++row) {
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (std::isfinite(value) || (may_be_missing && std::isnan(value))) return;
      throw InputError(fmt::format("feature {} of example {} is {}, which {} cannot store",
                                   shown(name_or_number(data.feature_names, column)), row,
                                   std::isnan(value) ? "missing" : "infinite", format));
    });
    const auto unknown = data.unknown_of(row);
    if (may_be_missing || unknown.empty()) continue;
    throw InputError(fmt::format("label {} of example {} is unknown, which {} cannot store",
                                 shown(name_or_number(data.label_names, unknown[0])), row, format));
  }
}

}  // namespace mugrad::formats
