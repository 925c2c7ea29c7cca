// SPDX-License-Identifier: MIT
#include "data/formats/table/model_types.h"

#include "core/printable.h"
#include "data/formats/table/known_names.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace mugrad::formats {
namespace {

AttributeType type_in_model(const EncodedColumn& column) {
  switch (column.role) {
    case ColumnRole::category:
      return AttributeType::category;
    case ColumnRole::text:
      return AttributeType::text;
    case ColumnRole::date:
      return AttributeType::date;
    case ColumnRole::identifier:
      return AttributeType::identifier;
    default:
      return AttributeType::numeric;
  }
}

/// The types of a model that was trained on numbers and categories alone, by its names of features.
class TypesByName {
 public:
  explicit TypesByName(const ReadOptions& options) : known_(options.encode_like) {}
  std::optional<AttributeType> operator()(const std::string& name) const {
    if (known_.one_hot(name)) return AttributeType::category;
    return known_.has(name) ? std::optional(AttributeType::numeric) : std::nullopt;
  }

 private:
  KnownNames known_;
};

/// The types of a model with an encoding.
class TypesByEncoding {
 public:
  explicit TypesByEncoding(const TableEncoding& encoding) {
    for (const auto& column : encoding.columns) {
      const bool is_used = column.role != ColumnRole::ignored && column.role != ColumnRole::tags;
      if (is_used) type_[column.name] = type_in_model(column);
    }
  }
  std::optional<AttributeType> operator()(const std::string& name) const {
    const auto found = type_.find(name);
    return found == type_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string_view, AttributeType> type_;
};

void check_complete(const TableColumns& columns, const SourceText& source,
                    const TableEncoding& encoding) {
  std::vector<std::string> missing;
  Index used = 0;
  bool is_dropped = false;
  std::map<std::string_view, std::size_t> position;
  for (const auto& attribute : columns.header.attributes) {
    position.emplace(attribute.name, position.size());
  }
  for (const auto& column : encoding.columns) {
    if (column.width == 0) continue;
    ++used;
    const auto found = position.find(column.name);
    const bool is_there = found != position.end();
    const bool drops = is_there && columns.dropped[found->second];
    is_dropped = is_dropped || drops;
    if (!is_there || drops) missing.push_back(column.name);
  }
  if (missing.empty()) return;
  throw InputError(fmt::format(
      "{} lacks {} of the model's {} columns{}: {}", source.name(), missing.size(), used,
      is_dropped ? fmt::format(", leaving out those of {}", option_text(Option::drop)) : "",
      listing(missing, 8)));
}

/// The columns that features with such a name may come from: `a=b=c` is the column of this name, or
/// one of values, `a` or `a=b`.
template <class Visit>
void for_each_column_of(std::string_view feature, Visit&& visit) {
  for (auto cut = feature.find('=', 1); cut < feature.size(); cut = feature.find('=', cut + 1)) {
    visit(feature.substr(0, cut));
  }
  visit(feature);
}

/// The names of the columns of a model; of one without an encoding, by its features: of the names
/// that a column may have, the one that the table has, otherwise the first.
std::vector<std::string> columns_of_model(const std::set<std::string_view>& in_table,
                                          const ReadOptions& options) {
  std::vector<std::string> names;
  for (const auto& column : options.encoding.columns) {
    if (column.width > 0) names.push_back(column.name);
  }
  if (!options.encoding.is_empty()) return names;
  for (const auto& feature : options.encode_like) {
    std::string_view first;
    std::string_view known;
    for_each_column_of(feature, [&](std::string_view name) {
      if (first.empty()) first = name;
      if (in_table.contains(name)) known = name;
    });
    const auto name = known.empty() ? first : known;
    if (names.empty() || names.back() != name) names.emplace_back(name);
  }
  return names;
}

template <class TypeOf>
std::vector<NumberColumn> numbers_by(const TableColumns& columns, const TypeOf& type_of) {
  std::vector<NumberColumn> found;
  for (const auto& attribute : columns.header.attributes) {
    const auto type =
        attribute.type == AttributeType::open ? type_of(attribute.name) : attribute.type;
    found.push_back(type == AttributeType::numeric ? NumberColumn::yes
                    : type == AttributeType::open  ? NumberColumn::open
                                                   : NumberColumn::no);
  }
  return found;
}

void tell_unused(const std::vector<std::string>& unused, const SourceText& source,
                 const ReadOptions& options) {
  if (unused.empty()) return;
  options.tell(fmt::format("ignored {} of {}'s columns that the model does not use: {}",
                           unused.size(), source.name(), listing(unused, 8)));
}

void tell_absent(const std::vector<std::string>& absent, const SourceText& source,
                 const ReadOptions& options) {
  if (absent.empty()) return;
  options.tell(fmt::format("no record of {} has {}: missing in all rows", source.name(),
                           listing(absent, 8)));
}

template <class TypeOf>
void take_types(TableColumns& columns, const SourceText& source, const TypeOf& type_of,
                const ReadOptions& options) {
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    auto& attribute = columns.header.attributes[i];
    if (attribute.type != AttributeType::open || columns.labels.is_label[i] || columns.dropped[i]) {
      continue;
    }
    const auto type = type_of(attribute.name);
    columns.dropped[i] = !type.has_value();
    attribute.type = type.value_or(AttributeType::numeric);
    if (!type) unused.push_back(attribute.name);
  }
  tell_unused(unused, source, options);
}

}  // namespace

void take_types_of_model(TableColumns& columns, const SourceText& source,
                         const ReadOptions& options) {
  if (options.encoding.is_empty()) {
    return take_types(columns, source, TypesByName(options), options);
  }
  check_complete(columns, source, options.encoding);
  take_types(columns, source, TypesByEncoding(options.encoding), options);
}

std::vector<bool> used_by_model(const TableColumns& columns, const ReadOptions& options) {
  const auto by = [&](const auto& type_of) {
    std::vector<bool> used;
    for (const auto& attribute : columns.header.attributes) {
      used.push_back(type_of(attribute.name).has_value());
    }
    return used;
  };
  if (options.encoding.is_empty()) return by(TypesByName(options));
  return by(TypesByEncoding(options.encoding));
}

bool needs_no_rows(const ReadOptions& options) {
  if (!options.labels_optional || options.encode_like.empty() || options.learn_terms) return false;
  if (!options.encoding.is_empty()) return true;
  return std::ranges::none_of(options.encode_like, [](const std::string& feature) {
    return feature.find('=') != feature.npos;
  });
}

std::vector<std::string> needed_columns(const ReadOptions& options) {
  if (options.encoding.is_empty()) return options.encode_like;
  std::vector<std::string> names;
  for (const auto& column : options.encoding.columns) {
    if (column.width > 0 || column.role == ColumnRole::identifier) names.push_back(column.name);
  }
  return names;
}

std::vector<std::string> absent_columns(const TableColumns& columns, const ReadOptions& options) {
  std::set<std::string_view> in_table;
  for (const auto& attribute : columns.header.attributes) in_table.insert(attribute.name);
  const auto needed = columns_of_model(in_table, options);
  std::vector<std::string> absent;
  std::set<std::string_view> seen;
  for (const auto& name : needed) {
    if (!in_table.contains(name) && seen.insert(name).second) absent.push_back(name);
  }
  const bool has_some =
      std::ranges::any_of(needed, [&](const std::string& name) { return in_table.contains(name); });
  return has_some ? absent : std::vector<std::string>();
}

void add_absent_columns(TableColumns& columns, const SourceText& source, const char* at,
                        const ReadOptions& options) {
  if (options.encode_like.empty() && options.encoding.is_empty()) return;
  const auto absent = absent_columns(columns, options);
  for (const auto& name : absent) {
    columns.header.attributes.push_back(
        {.name = name, .type = AttributeType::open, .at = at, .is_lenient = true});
    columns.labels.is_label.push_back(false);
    columns.dropped.push_back(false);
  }
  tell_absent(absent, source, options);
}

void tell_of_columns(const std::vector<std::string>& in_rows, const SourceText& source,
                     const ReadOptions& options) {
  if (in_rows.empty()) return;
  std::set<std::string_view> known(options.encode_like.begin(), options.encode_like.end());
  std::vector<std::string> needed = options.encode_like;
  if (!options.encoding.is_empty()) {
    known.clear();
    needed.clear();
    for (const auto& column : options.encoding.columns) {
      if (column.role != ColumnRole::ignored) known.insert(column.name);
      if (column.width > 0) needed.push_back(column.name);
    }
  }
  const std::set<std::string_view> found(in_rows.begin(), in_rows.end());
  const auto without = [](const std::vector<std::string>& names,
                          const std::set<std::string_view>& others) {
    std::vector<std::string> left;
    std::ranges::copy_if(names, std::back_inserter(left),
                         [&](const std::string& name) { return !others.contains(name); });
    return left;
  };
  tell_absent(without(needed, found), source, options);
  tell_unused(without(in_rows, known), source, options);
}

std::vector<NumberColumn> number_columns(const TableColumns& columns, const ReadOptions& options) {
  if (!options.encoding.is_empty()) return numbers_by(columns, TypesByEncoding(options.encoding));
  if (!options.encode_like.empty()) return numbers_by(columns, TypesByName(options));
  return numbers_by(columns, [](const std::string&) { return std::optional(AttributeType::open); });
}

}  // namespace mugrad::formats
