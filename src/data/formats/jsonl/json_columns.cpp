// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_columns.h"

#include "core/printable.h"
#include "data/formats/table/model_types.h"

#include <mugrad/core/memory.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {

bool is_column(const KeyValues& values) noexcept {
  return values.scalar != nullptr || values.records != nullptr || values.object == nullptr;
}

namespace {

/// Names of nested keys repeat those around them, so that they can be far longer than the file.
void require_memory_for_names(const JsonColumns& columns, const SourceText& source) {
  constexpr double kCopies = 8;  // while columns are looked for by name
  double bytes = 0;
  for (const auto& attribute : columns.attributes) {
    bytes += static_cast<double>(attribute.name.size());
  }
  require_memory({"names of columns", kCopies * bytes},
                 fmt::format("reading the {} keys of {}", columns.keys.size(), source.name()),
                 "shorter keys");
}

}  // namespace

JsonColumns columns_of(const JsonKeys& keys, const SourceText& source) {
  JsonColumns columns;
  columns.column_of.assign(keys.size(), JsonColumns::kNone);
  TextMap<const char*> seen;
  for (std::size_t k = 1; k < keys.size(); ++k) {  // the first is the root
    const auto key = static_cast<KeyId>(k);
    if (!is_column(keys.values(key))) continue;
    const char* at = keys.at(key);
    auto name = keys.full_name(key);
    const auto [other, added] = seen.emplace(name, at);
    if (!added) {
      source.fail(at, fmt::format("the column {} has been a key on line {}, and here the key is "
                                  "nested otherwise; a dot stands for nesting",
                                  shown(name), source.line_of(other->second)));
    }
    columns.column_of[k] = static_cast<std::int32_t>(columns.keys.size());
    columns.keys.push_back(k);
    columns.values.push_back(keys.values(key).count);
    columns.attributes.push_back(
        {.name = std::move(name), .type = AttributeType::open, .at = at, .is_lenient = true});
  }
  require_memory_for_names(columns, source);
  return columns;
}

namespace {

/// A table has at most this many cells per value of its records, besides kFewCells. Keys that one
/// record in a hundred has always fit.
constexpr double kMostCellsPerValue = 100;
constexpr double kFewCells = 1 << 22;
constexpr std::size_t kMostNamed = 8;

[[noreturn]] void fail_mixed(const SourceText& source, const std::string& name,
                             const KeyValues& values) {
  source.fail(std::max(values.scalar, values.object),
              fmt::format("{} has an object on line {} and another value on line {}, expected the "
                          "same everywhere; {} leaves out the other values",
                          shown(name), source.line_of(values.object), source.line_of(values.scalar),
                          option_text(Option::drop, name)));
}

/// Whether nobody has said what the column is.
bool is_free(const TableColumns& columns, std::size_t i) {
  return !columns.dropped[i] && !columns.labels.is_label[i] &&
         columns.header.attributes[i].type == AttributeType::open;
}

}  // namespace

void fail_list(const SourceText& source, const char* at, const std::string& name) {
  source.fail(at,
              fmt::format("{} has a list of objects or lists, expected a single value or a list "
                          "of these; {} leaves it out",
                          shown(name), option_text(Option::drop, name)));
}

void leave_out_nested_values(TableColumns& columns, const JsonKeys& keys, const JsonColumns& found,
                             const SourceText& source, const ReadOptions& options) {
  const auto is_used = used_by_model(columns, options);
  std::vector<std::string> lists;
  std::vector<std::string> mixed;
  const KeyValues* first_list = nullptr;
  const KeyValues* first_mixed = nullptr;
  for (std::size_t i = 0; i < found.keys.size(); ++i) {
    const auto& values = keys.values(static_cast<KeyId>(found.keys[i]));
    const bool are_tags = columns.header.attributes[i].type == AttributeType::tags;
    const bool is_list = values.records != nullptr && !are_tags;
    if (columns.dropped[i] || (!is_list && values.object == nullptr)) continue;
    const std::string& name = found.attributes[i].name;
    const bool is_wanted = !is_free(columns, i) || is_used[i];
    if (is_wanted && is_list) fail_list(source, values.records, name);
    if (is_wanted) fail_mixed(source, name, values);
    columns.dropped[i] = true;
    auto& first = is_list ? first_list : first_mixed;
    if (first == nullptr) first = &values;
    (is_list ? lists : mixed).push_back(name);
  }
  if (first_list != nullptr) {
    options.tell(
        fmt::format("left out {}: lists of objects or lists, as on line {}, are no single values",
                    listing(lists, kMostNamed), source.line_of(first_list->records)));
  }
  if (first_mixed != nullptr) {
    options.tell(
        fmt::format("left out the values of {} that are no objects, as on line {}: other "
                    "records, as on line {}, have objects, whose keys are columns",
                    listing(mixed, kMostNamed), source.line_of(first_mixed->scalar),
                    source.line_of(first_mixed->object)));
  }
}

namespace {

/// The fewest values that a column must have, so that no more than `most` columns have them.
Index fewest_values(std::vector<Index> values, Index most) {
  if (std::ssize(values) <= most) return 0;
  const auto last = values.begin() + most;
  std::ranges::nth_element(values, last, std::ranges::greater{});
  return *last + 1;  // so many have the most frequent one of those that are too many
}

}  // namespace

void leave_out_rare_keys(TableColumns& columns, const JsonColumns& found, Index rows,
                         const ReadOptions& options) {
  if (!options.encode_like.empty() || !options.encoding.is_empty() || rows == 0) return;
  double all_values = 0;
  std::vector<Index> values;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    all_values += static_cast<double>(found.values[i]);
    if (is_free(columns, i)) values.push_back(found.values[i]);
  }
  const double cells = kFewCells + kMostCellsPerValue * all_values;
  const auto most = static_cast<Index>(cells / static_cast<double>(rows));
  const Index fewest = fewest_values(std::move(values), most);
  std::vector<std::string> rare;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    if (!is_free(columns, i) || found.values[i] >= fewest) continue;
    columns.dropped[i] = true;
    rare.push_back(found.attributes[i].name);
  }
  if (rare.empty()) return;
  options.tell(fmt::format(
      "left out {} rare keys, each in fewer than {} of the {} records: {}; {} keeps what it names",
      rare.size(), fewest, rows, listing(rare, kMostNamed),
      option_text(Option::number_columns, "NAMES")));
}

}  // namespace mugrad::formats
