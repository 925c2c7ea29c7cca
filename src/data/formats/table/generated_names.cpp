// SPDX-License-Identifier: MIT
#include "data/formats/table/generated_names.h"

#include "data/formats/source_text.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace mugrad::formats {
namespace {

using Kind = ColumnEncoding::Kind;

/// The columns of a table by the names of their features, and labels by their own.
class NameOwners {
 public:
  explicit NameOwners(const std::string& file) : file_(file) {}

  void add(std::string_view name, std::string_view column) {
    const auto [other, is_new] = owner_.emplace(name, column);
    // ARFF may declare a value twice.
    const bool is_declared_twice =
        other->second == column && !name.ends_with(kMissingValue) && !name.ends_with(kOtherValue);
    if (!is_new && !is_declared_twice) fail(name, other->second, column);
  }
  /// The same for a name that no other name of this column equals.
  void check(std::string_view name, std::string_view column) const {
    if (const auto other = owner_.find(name); other != owner_.end()) {
      fail(name, other->second, column);
    }
  }

 private:
  [[noreturn]] void fail(std::string_view name, std::string_view one,
                         std::string_view other) const {
    const auto drops = option_text(Option::drop, other);
    if (one == other) {
      throw InputError(fmt::format(
          "{}: the value {} of {} would become {}, which is the name of another of its features: "
          "write the value differently, or leave the column out ({})",
          file_, shown(name.substr(one.size() + 1)), shown(one), shown(name), drops));
    }
    throw InputError(
        fmt::format("{}: {} and {} would both become {}: rename one, or leave it out ({})", file_,
                    shown(one), shown(other), shown(name), drops));
  }

  const std::string& file_;
  std::unordered_map<std::string_view, std::string_view> owner_;
};

/// The features are named, and the data set gets a copy of the names.
constexpr double kCopiesOfNames = 2;

/// What the name of a term of so many bytes takes.
std::size_t bytes_of_name(std::string_view column, std::size_t term) {
  constexpr std::size_t kBeside = 15;  // a text so long lies beside its length
  const auto length = column.size() + 1 + term;
  return sizeof(std::string) + (length > kBeside ? length + sizeof(void*) : 0);
}

}  // namespace

std::string value_name(std::string_view column, std::string_view value) {
  return fmt::format("{}{}{}", column, kBeforeValue, value);
}

std::string missing_number_name(std::string_view column) {
  return fmt::format("{} {}", column, kMissingValue);
}

std::array<std::string, kDateFeatures> date_names(std::string_view column) {
  return {fmt::format("{} (days)", column), fmt::format("{} (month)", column),
          fmt::format("{} (weekday)", column), fmt::format("{} (hour)", column)};
}

void append_term_names(std::string_view column, std::span<const std::string> terms, Index width,
                       std::vector<std::string>& names) {
  names.reserve(names.size() + as_size(width));
  for (const auto& term : terms) names.push_back(fmt::format("{}{}{}", column, kBeforeTerm, term));
  for (Index k = std::ssize(terms); k < width; ++k) {
    names.push_back(fmt::format("{}{}#{}", column, kBeforeTerm, k));
  }
}

void require_memory_for_terms(std::string_view column, std::span<const std::string> terms) {
  double bytes = 0;
  for (const auto& term : terms) bytes += static_cast<double>(bytes_of_name(column, term.size()));
  require_memory({"names of features", kCopiesOfNames * bytes},
                 fmt::format("making {} features of the terms of {}", terms.size(), shown(column)),
                 fmt::format("a smaller {}", method_option_text("max-terms")));
}

void require_memory_for_hashed_terms(std::string_view column, int bits) {
  const double count = std::exp2(bits);
  const auto bytes = bytes_of_name(column, fmt::formatted_size("#{}", std::int64_t{1} << bits));
  require_memory({"names of features", kCopiesOfNames * count * static_cast<double>(bytes)},
                 fmt::format("making 2^{} features of the hashed terms of {}", bits, shown(column)),
                 fmt::format("a smaller {}", method_option_text("hash-bits")));
}

ColumnNameCheck::ColumnNameCheck(const std::vector<FeatureColumn>& columns, const std::string& file)
    : file_(file) {
  for (const auto& column : columns) sorted_.emplace_back(column.attribute->name);
  std::ranges::sort(sorted_);
}

void ColumnNameCheck::check_alone(const std::string& column, char before) const {
  const std::string prefix = column + before;
  const auto next = std::ranges::lower_bound(sorted_, prefix);
  if (next == sorted_.end() || !next->starts_with(prefix)) return;
  throw InputError(fmt::format(
      "{}: attribute {} becomes a column per {}, named {} and the {}, and attribute {} "
      "could be one of them: rename one, or leave it out ({})",
      file_, shown(column), before == kBeforeTerm ? "term" : "value", shown(prefix),
      before == kBeforeTerm ? "term" : "value", shown(*next), option_text(Option::drop)));
}

bool ColumnNameCheck::is_of_longer(std::string_view name, std::size_t from) const {
  if (is_column(name)) return true;
  for (auto at = name.find(kBeforeValue, from); at != std::string_view::npos;
       at = name.find(kBeforeValue, at + 1)) {
    if (is_column(name.substr(0, at))) return true;
  }
  return false;
}

bool ColumnNameCheck::is_column(std::string_view text) const {
  return std::ranges::binary_search(sorted_, text);
}

void check_distinct_names(const EncodingPlan& plan, const TableColumns& table,
                          const std::string& file) {
  NameOwners owners(file);
  const auto& attributes = table.header.attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (table.labels.is_label[i] && !table.dropped[i]) {
      owners.add(attributes[i].name, attributes[i].name);
    }
  }
  const auto for_each = [&](bool are_terms, const auto& visit) {
    for (const auto& column : plan.columns) {
      if ((column.kind == Kind::terms) != are_terms) continue;
      for (FeatureId k = 0; k < column.width; ++k) {
        visit(plan.names[as_size(column.first + k)], column.attribute);
      }
    }
  };
  for_each(false, [&](const auto& name, const auto& column) { owners.add(name, column); });
  // Terms of a text differ. They are many, so they are not kept.
  for_each(true, [&](const auto& name, const auto& column) { owners.check(name, column); });
}

}  // namespace mugrad::formats
