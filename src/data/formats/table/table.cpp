// SPDX-License-Identifier: MIT
#include "data/formats/table/table.h"

#include "core/utf8.h"
#include "data/formats/number.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mugrad::formats {
namespace {

/// A numeric feature accepts any digit; nominals accept fewer.
constexpr std::int8_t kEveryDigit = 9;

/// There are 48 ways to write TRUE and FALSE.
constexpr std::size_t kMostUnknownTexts = 64;

/// The largest d <= 8 such that the values begin 0, 1, ..., d.
std::int8_t leading_digits(const std::vector<std::string>& values) {
  std::int8_t count = 0;
  for (const auto& value : values) {
    if (count >= kEveryDigit || value != std::string(1, static_cast<char>('0' + count))) break;
    ++count;
  }
  return static_cast<std::int8_t>(count - 1);
}

/// The values as in a declaration, cut if there are many.
std::string listed(const std::vector<std::string>& values) {
  constexpr std::size_t kMost = 6;
  const std::vector<std::string> first(
      values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, values.size())));
  return fmt::format("{{{}{}}}", fmt::join(first, ","), values.size() > kMost ? ",..." : "");
}

}  // namespace

TableBuilder::TableBuilder(const SourceText& source, const TableHeader& header,
                           const std::vector<bool>& labels, const std::vector<bool>& dropped,
                           const ReadOptions& options)
    : source_(source),
      header_(header),
      options_(options),
      known_(options.encode_like),
      slots_(header.attributes.size()),
      codes_(header.attributes.size()),
      most_texts_(header.attributes.size(), std::numeric_limits<std::size_t>::max()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (dropped[i]) continue;
    const auto& attribute = header.attributes[i];
    if (attribute.type == AttributeType::unsupported) {
      source.fail(attribute.at,
                  fmt::format("attribute {} is a {} attribute, which is not supported; {} "
                              "drops it",
                              shown(attribute.name), attribute.type_name,
                              option_text(Option::drop, attribute.name)));
    }
    if (attribute.type == AttributeType::nominal) codes_[i] = ValueCodes(attribute.values);
    labels[i] ? make_label(i) : make_feature(i);
  }
  row_.resize(features_.size());
  raw_ = RawFeatures(std::ssize(features_));
  labels_.cols = std::ssize(label_names_);
  unknown_.cols = labels_.cols;
}

void TableBuilder::make_feature(std::size_t attribute) {
  auto& slot = slots_[attribute];
  slot.role = Role::feature;
  slot.position = static_cast<std::int32_t>(features_.size());
  features_.push_back(attribute);
  const auto& declared = header_.attributes[attribute];
  if (declared.type == AttributeType::numeric) slot.largest_digit = kEveryDigit;
  if (declared.type == AttributeType::nominal) slot.largest_digit = leading_digits(declared.values);
  if (declared.type == AttributeType::text) make_text(attribute);
}

void TableBuilder::make_text(std::size_t attribute) {
  auto& codes = codes_[attribute];
  // The value of omitted attributes in sparse rows needs a code before any text is read.
  codes.intern("");
  const auto& name = header_.attributes[attribute].name;
  if (known_.empty() || known_.has(name)) return;
  // All texts that the model does not know are equivalent to it. Some get their own code, more than
  // there are ways to write truth values; the others share the last code, so that row names do not
  // fill the memory.
  for (const auto& value : known_.values_of(name)) codes.intern(value);
  most_texts_[attribute] = codes.size() + kMostUnknownTexts;
}

void TableBuilder::make_label(std::size_t attribute) {
  const auto& declared = header_.attributes[attribute];
  auto& slot = slots_[attribute];
  slot.role = Role::label;
  slot.position = static_cast<std::int32_t>(label_names_.size());
  label_names_.push_back(declared.name);
  if (declared.type == AttributeType::numeric) slot.largest_digit = 1;
  if (declared.type != AttributeType::nominal) return;
  if (!is_two_valued(declared.values)) {
    source_.fail(declared.at, fmt::format("label {} is declared {}, expected {{0,1}}, {{NO,YES}} "
                                          "or {{FALSE,TRUE}}",
                                          shown(declared.name), listed(declared.values)));
  }
  const bool has_zero = std::ranges::count(declared.values, "0") > 0;
  const bool has_one = std::ranges::count(declared.values, "1") > 0;
  if (has_zero) slot.largest_digit = has_one ? std::int8_t{1} : std::int8_t{0};
  if (*truth_of(declared.values.front())) positive_unmentioned_.push_back(slot.position);
}

double TableBuilder::value_of(std::size_t attribute, const Cell& cell) {
  const auto role = slots_[attribute].role;
  if (role == Role::left_out) return 0;
  if (cell.missing) return missing_value(attribute, cell);
  if (role == Role::label) return label_value(attribute, cell);
  const auto& declared = header_.attributes[attribute];
  if (declared.type == AttributeType::numeric) return number(declared, cell);
  if (declared.type == AttributeType::text) return text_code(attribute, cell.text);
  return nominal_code(attribute, cell);
}

double TableBuilder::number(const Attribute& attribute, const Cell& cell) const {
  const auto value = number_in(cell.text);
  if (!value) {
    source_.fail(cell.at, fmt::format("{} is not a number, and attribute {} is numeric",
                                      shown(cell.text), shown(attribute.name)));
  }
  if (!std::isfinite(*value)) {
    source_.fail(cell.at, fmt::format("{} is not a finite number, and attribute {} is numeric",
                                      shown(cell.text), shown(attribute.name)));
  }
  return *value;
}

/// All coded values are UTF-8, so only unknown ones are checked.
std::int32_t TableBuilder::known_code(std::size_t attribute, std::string_view text) {
  const auto& codes = codes_[attribute];
  const auto code = codes.find(text);
  if (code != ValueCodes::kUnknown || is_utf8(text)) return code;
  has_latin1_ = true;
  return codes.find(utf8_from_latin1(text));
}

double TableBuilder::text_code(std::size_t attribute, std::string_view text) {
  if (const auto code = known_code(attribute, text); code != ValueCodes::kUnknown) return code;
  auto& codes = codes_[attribute];
  if (codes.size() >= most_texts_[attribute]) return static_cast<double>(codes.size() - 1);
  return codes.intern(as_utf8(text));
}

double TableBuilder::nominal_code(std::size_t attribute, const Cell& cell) {
  const auto code = known_code(attribute, cell.text);
  if (code == ValueCodes::kUnknown) {
    const auto& declared = header_.attributes[attribute];
    source_.fail(cell.at,
                 fmt::format("{} is not a value of attribute {}, declared {}", shown(cell.text),
                             shown(declared.name), listed(declared.values)));
  }
  return code;
}

double TableBuilder::label_value(std::size_t attribute, const Cell& cell) {
  const auto& declared = header_.attributes[attribute];
  if (declared.type == AttributeType::nominal) nominal_code(attribute, cell);
  if (const auto truth = truth_of(cell.text)) return *truth ? 1 : 0;
  const auto value = number_in(cell.text);
  if (!value || (*value != 0 && *value != 1)) {
    source_.fail(cell.at, fmt::format("{} is not a value of label {}, expected 0 or 1, NO or YES, "
                                      "FALSE or TRUE",
                                      shown(cell.text), shown(declared.name)));
  }
  return *value;
}

double TableBuilder::missing_value(std::size_t attribute, const Cell& cell) const {
  const auto name = shown(header_.attributes[attribute].name);
  const bool is_label = slots_[attribute].role == Role::label;
  if (!is_label && options_.missing == Missing::refuse) {
    source_.fail(
        cell.at,
        fmt::format(
            "the value of attribute {} is missing; {} replaces it by the mean of the others", name,
            option_text(Option::missing, "mean")));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void TableBuilder::put(const Slot& slot, double value) {
  if (slot.role == Role::feature) {
    row_[as_size(slot.position)] = value;
  } else if (slot.role == Role::label) {
    put_label(slot.position, value);
  }
}

void TableBuilder::put_label(std::int32_t position, double value) {
  if (value == 0) return;
  (std::isnan(value) ? unknown_ : labels_).column.push_back(position);
}

void TableBuilder::end_labels() {
  labels_.end_row();
  unknown_.end_row();
}

void TableBuilder::end_row() {
  raw_.add_row(row_);
  end_labels();
}

void TableBuilder::end_sparse_row() {
  raw_.start_sparse_row();
  for (const auto& entry : sparse_row_.sorted(source_, "index")) {
    const auto& slot = slots_[as_size(entry.column)];
    if (slot.role == Role::feature) {
      raw_.add_entry(slot.position, entry.value);
    } else if (slot.role == Role::label) {
      put_label(slot.position, entry.value);
      if (!positive_unmentioned_.empty()) mentioned_.push_back(slot.position);
    }
  }
  raw_.end_sparse_row();
  if (!positive_unmentioned_.empty()) add_unmentioned_labels();
  end_labels();
  sparse_row_.clear();
}

void TableBuilder::add_unmentioned_labels() {
  const auto row_start = static_cast<std::ptrdiff_t>(labels_.row_start.back());
  std::ranges::set_difference(positive_unmentioned_, mentioned_,
                              std::back_inserter(labels_.column));
  std::sort(labels_.column.begin() + row_start, labels_.column.end());
  mentioned_.clear();
}

TableBlock TableBuilder::take() {
  const bool was_sparse = raw_.is_sparse();
  const Index labels = labels_.cols;
  TableBlock block{.raw = std::exchange(raw_, RawFeatures(raw_.width())),
                   .labels = std::exchange(labels_, {.cols = labels}),
                   .unknown = std::exchange(unknown_, {.cols = labels})};
  if (was_sparse) make_sparse();
  return block;
}

std::vector<FeatureColumn> TableBuilder::columns() const {
  std::vector<FeatureColumn> columns;
  columns.reserve(features_.size());
  for (const auto attribute : features_) {
    columns.push_back({&header_.attributes[attribute], &codes_[attribute]});
  }
  return columns;
}

}  // namespace mugrad::formats
