// SPDX-License-Identifier: MIT
#include "data/formats/table/table.h"

#include "core/utf8.h"
#include "data/formats/number.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace mugrad::formats {
namespace {

/// A numeric feature accepts any digit; nominals accept fewer.
constexpr std::int8_t kEveryDigit = 9;

/// The codes of a category that the model has as one column; 0 is that of the empty text.
constexpr double kNo = 1;
constexpr double kYes = 2;

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

std::string_view kind_of_cells(const Attribute& attribute) {
  return attribute.type == AttributeType::date ? "date" : "number";
}

}  // namespace

TableBuilder::TableBuilder(const SourceText& source, const TableColumns& columns,
                           const ReadOptions& options)
    : source_(source),
      header_(columns.header),
      options_(options),
      known_(options.encode_like),
      slots_(columns.header.attributes.size()),
      codes_(slots_.size()),
      most_texts_(slots_.size(), std::numeric_limits<std::size_t>::max()),
      odd_(slots_.size()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (columns.dropped[i]) continue;
    const auto& attribute = header_.attributes[i];
    if (attribute.type == AttributeType::unsupported) {
      source.fail(attribute.at, fmt::format("label {} is a {} attribute, expected {{0,1}}",
                                            shown(attribute.name), attribute.type_name));
    }
    if (attribute.type == AttributeType::nominal) codes_[i] = ValueCodes(attribute.values);
    if (attribute.type == AttributeType::tags) {
      make_tags(i, columns);
    } else {
      columns.labels.is_label[i] ? make_label(i) : make_feature(i);
    }
  }
  row_.resize(features_.size());
  raw_ = RawFeatures(std::ssize(features_));
  labels_.cols = std::ssize(label_names_);
  unknown_.cols = labels_.cols;
}

void TableBuilder::make_feature(std::size_t attribute) {
  auto& slot = slots_[attribute];
  const auto& declared = header_.attributes[attribute];
  if (declared.type == AttributeType::identifier) {
    slot.role = options_.keep_row_names && !has_row_names_ ? Role::name : Role::left_out;
    has_row_names_ = has_row_names_ || slot.role == Role::name;
    return;
  }
  slot.role = Role::feature;
  slot.position = static_cast<std::int32_t>(features_.size());
  features_.push_back(attribute);
  if (declared.type == AttributeType::numeric) slot.largest_digit = kEveryDigit;
  if (declared.type == AttributeType::nominal) slot.largest_digit = leading_digits(declared.values);
  if (declared.type == AttributeType::category) make_category(attribute);
  if (declared.type != AttributeType::text) return;
  // In the raw features it is always 0.
  slot.role = Role::text;
  slot.position = static_cast<std::int32_t>(texts_.size());
  texts_.emplace_back();
}

void TableBuilder::make_tags(std::size_t attribute, const TableColumns& columns) {
  slots_[attribute].role = Role::tags;
  const TagSyntax syntax{.separator = columns.separator,
                         .may_be_array = !options_.tag_separator && !columns.are_predictions};
  tags_.emplace(source_, syntax, options_.fallback_labels);
  label_names_ = options_.fallback_labels;
}

void TableBuilder::make_category(std::size_t attribute) {
  auto& codes = codes_[attribute];
  // The value of omitted attributes in sparse rows needs a code before any text is read.
  codes.intern("");
  const auto& name = header_.attributes[attribute].name;
  if (known_.empty()) return;
  if (known_.has(name)) {
    // Of all ways to write a truth value, so that blocks that follow need no code of their own.
    codes.intern("0");
    codes.intern("1");
    slots_[attribute].takes_truths = true;
  }
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
  const auto& slot = slots_[attribute];
  switch (slot.role) {
    case Role::feature:
      return feature_value(attribute, cell);
    case Role::label:
      return label_value(attribute, cell);
    case Role::text:
      add_text(texts_[as_size(slot.position)], cell);
      return 0;
    case Role::tags:
      add_tags(attribute, cell);
      return 0;
    case Role::name:
      row_names_.push_back(as_utf8(cell.text));
      return 0;
    case Role::left_out:
      return 0;
  }
  return 0;
}

double TableBuilder::feature_value(std::size_t attribute, const Cell& cell) {
  if (cell.missing) return missing_value(attribute, cell);
  switch (header_.attributes[attribute].type) {
    case AttributeType::numeric:
      return number(attribute, cell);
    case AttributeType::date:
      return date(attribute, cell);
    case AttributeType::category:
      return category_code(attribute, cell);
    default:
      return nominal_code(attribute, cell);
  }
}

double TableBuilder::number(std::size_t attribute, const Cell& cell) {
  const auto& declared = header_.attributes[attribute];
  const auto value = number_in(cell.text);
  if (value && std::isfinite(*value)) return *value;
  if (declared.is_lenient) {
    if (means_missing(cell.text)) return missing_value(attribute, cell);
    // Models without an encoding do not say whether such a feature was a category of yes and no.
    const bool may_be_truth = !known_.empty() && options_.encoding.is_empty();
    const auto truth = may_be_truth ? truth_of(cell.text) : std::nullopt;
    if (truth) return *truth ? 1 : 0;
    return odd_cell(attribute, cell);
  }
  source_.fail(cell.at,
               fmt::format("{} is not a {}number, and attribute {} is numeric", shown(cell.text),
                           value ? "finite " : "", shown(declared.name)));
}

double TableBuilder::date(std::size_t attribute, const Cell& cell) {
  if (const auto days = date_in(cell.text)) return *days;
  return means_missing(cell.text) ? missing_value(attribute, cell) : odd_cell(attribute, cell);
}

double TableBuilder::odd_cell(std::size_t attribute, const Cell& cell) {
  const auto& declared = header_.attributes[attribute];
  if (options_.missing == Missing::refuse) {
    source_.fail(cell.at, fmt::format("{} is not a {}, and column {} has {}s", shown(cell.text),
                                      kind_of_cells(declared), shown(declared.name),
                                      kind_of_cells(declared)));
  }
  auto& odd = odd_[attribute];
  if (odd.count++ == 0) {
    odd.first = cell.text;
    odd.place = source_.line_text(cell.at);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void TableBuilder::tell_odd_cells(bool has_all_rows) {
  for (std::size_t i = 0; i < odd_.size(); ++i) {
    auto& odd = odd_[i];
    if (odd.count == 0 || std::exchange(odd.is_told, true)) continue;
    const auto& declared = header_.attributes[i];
    const std::string count = !has_all_rows    ? "some cells"
                              : odd.count == 1 ? "1 cell"
                                               : fmt::format("{} cells", odd.count);
    options_.tell(fmt::format("{} of column {} {} no {}, such as {} {}: counted as missing", count,
                              shown(declared.name), count == "1 cell" ? "is" : "are",
                              kind_of_cells(declared), shown(odd.first), odd.place));
  }
}

void TableBuilder::forget_odd_cells() {
  for (auto& odd : odd_) {
    if (!odd.is_told) odd = {};
  }
}

void TableBuilder::add_text(TextCells& cells, const Cell& cell) {
  if (cell.missing) return cells.add({}, true);
  if (!is_utf8(cell.text)) {
    has_latin1_ = true;
    return cells.add(utf8_from_latin1(cell.text), false);
  }
  const bool lasts =
      cell.lasts || (cell.text.data() >= source_.begin() && cell.text.data() < source_.end());
  cells.add(cell.text, lasts);
}

void TableBuilder::add_tags(std::size_t attribute, const Cell& cell) {
  const bool is_lenient = header_.attributes[attribute].is_lenient;
  if (cell.missing || (is_lenient && means_missing(cell.text))) return;
  for (const LabelId tag : tags_->read(cell)) labels_.column.push_back(tag);
}

/// All coded values are UTF-8, so only unknown ones are checked.
std::int32_t TableBuilder::known_code(std::size_t attribute, std::string_view text) {
  const auto& codes = codes_[attribute];
  const auto code = codes.find(text);
  if (code != ValueCodes::kUnknown || is_utf8(text)) return code;
  has_latin1_ = true;
  return codes.find(utf8_from_latin1(text));
}

double TableBuilder::category_code(std::size_t attribute, const Cell& cell) {
  if (slots_[attribute].takes_truths) {
    if (const auto truth = truth_of(cell.text)) return *truth ? kYes : kNo;
  }
  const auto code = known_code(attribute, cell.text);
  if (code > 0) return code;
  const bool is_lenient = header_.attributes[attribute].is_lenient;
  if (is_lenient && means_missing(cell.text)) return missing_value(attribute, cell);
  if (code != ValueCodes::kUnknown) return code;
  auto& codes = codes_[attribute];
  if (codes.size() >= most_texts_[attribute]) return static_cast<double>(codes.size() - 1);
  return codes.intern(as_utf8(cell.text));
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
  if (cell.missing || (declared.is_lenient && means_missing(cell.text))) {
    return missing_value(attribute, cell);
  }
  if (declared.type == AttributeType::nominal) nominal_code(attribute, cell);
  const auto is_positive = label_of(cell.text);
  if (!is_positive) {
    source_.fail(cell.at, fmt::format("{} is not a value of label {}, expected 0 or 1, NO or YES, "
                                      "FALSE or TRUE",
                                      shown(cell.text), shown(declared.name)));
  }
  return *is_positive ? 1 : 0;
}

double TableBuilder::missing_value(std::size_t attribute, const Cell& cell) const {
  const bool is_label = slots_[attribute].role == Role::label;
  if (!is_label && options_.missing == Missing::refuse) {
    source_.fail(cell.at, fmt::format("the value of attribute {} is missing; {} replaces it by the "
                                      "median of the others",
                                      shown(header_.attributes[attribute].name),
                                      option_text(Option::missing, "median")));
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
  memory_.check(HeldRows{raw_, texts_, labels_, row_names_});
}

void TableBuilder::end_row() {
  raw_.add_row(row_);
  end_labels();
}

void TableBuilder::end_sparse_row() {
  raw_.start_sparse_row();
  // An omitted string is the empty text, also if it names the row.
  for (auto& texts : texts_) {
    if (std::ssize(texts.cells()) == raw_.rows()) texts.add({}, true);
  }
  if (has_row_names_ && std::ssize(row_names_) == raw_.rows()) row_names_.emplace_back();
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
  assert(!has_row_names_ || std::ssize(row_names_) == raw_.rows());
  assert(std::ranges::all_of(
      texts_, [&](const TextCells& texts) { return std::ssize(texts.cells()) == raw_.rows(); }));
  const bool was_sparse = raw_.is_sparse();
  const Index labels = labels_.cols;
  TableBlock block{.raw = std::exchange(raw_, RawFeatures(raw_.width())),
                   .texts = std::exchange(texts_, std::vector<TextCells>(texts_.size())),
                   .labels = std::exchange(labels_, {.cols = labels}),
                   .unknown = std::exchange(unknown_, {.cols = labels}),
                   .row_names = std::exchange(row_names_, {})};
  if (tags_) block.labels.cols = std::ssize(tags_->names());
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
