// SPDX-License-Identifier: MIT
#include "data/formats/table/tags.h"

#include "core/json.h"
#include "core/utf8.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace mugrad::formats {
namespace {

constexpr LabelId kRare = -1;

}  // namespace

TagReader::TagReader(const SourceText& source, std::string separator,
                     std::vector<std::string> known)
    : source_(&source),
      separator_(std::move(separator)),
      knows_all_(!known.empty()),
      codes_(std::move(known)) {}

const std::vector<LabelId>& TagReader::read(const Cell& cell) {
  row_.clear();
  if (cell.missing) return row_;
  if (knows_all_) {
    read_in_any_form(cell);
  } else if (separator_.empty()) {
    read_array(cell);
  } else {
    read_list(cell.text, separator_.front());
  }
  std::ranges::sort(row_);
  row_.erase(std::ranges::unique(row_).begin(), row_.end());
  return row_;
}

void TagReader::add(std::string_view tag) {
  const std::string text = as_utf8(tag);
  const auto code = knows_all_ ? codes_.find(text) : codes_.intern(text);
  if (code != ValueCodes::kUnknown) {
    row_.push_back(code);
  } else if (ignored_++ == 0) {
    first_ignored_ = text;
  }
}

void TagReader::read_in_any_form(const Cell& cell) {
  const auto text = trimmed(cell.text);
  if (text.empty()) return;
  if (text.starts_with('[') && nlohmann::json::accept(text)) return read_array(cell);
  if (!separator_.empty()) return read_list(cell.text, separator_.front());
  if (codes_.find(as_utf8(text)) != ValueCodes::kUnknown) return add(text);
  for (const char separator : {';', '|', ','}) {
    if (text.find(separator) != text.npos) return read_list(cell.text, separator);
  }
  add(text);
}

void TagReader::read_list(std::string_view text, char separator) {
  const bool has_escapes = separator == ';';
  bool is_escaped_empty = false;
  unescaped_.clear();
  const auto finish = [&] {
    const auto tag = trimmed(unescaped_);
    if (!tag.empty() || is_escaped_empty) add(tag);
    unescaped_.clear();
    is_escaped_empty = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (has_escapes && text[i] == '\\' && i + 1 < text.size()) {
      const char escaped = text[++i];
      if (escaped == '0') {
        is_escaped_empty = true;
      } else {
        if (escaped != ';' && escaped != '\\') unescaped_ += '\\';
        unescaped_ += escaped;
      }
    } else if (text[i] == separator) {
      finish();
    } else {
      unescaped_ += text[i];
    }
  }
  finish();
}

void TagReader::read_array(const Cell& cell) {
  const auto fail = [&](std::string_view why) {
    source_->fail(cell.at,
                  fmt::format("{} is not a JSON array of tags: {}", shown(cell.text), why));
  };
  nlohmann::json value;
  try {
    value = parse_json(cell.text);
  } catch (const InputError& error) {
    fail(error.what());
  }
  if (!value.is_array()) fail("expected [\"first\", \"second\"]");
  for (const auto& tag : value) {
    if (tag.is_null()) continue;
    if (!tag.is_string() && !tag.is_number() && !tag.is_boolean()) {
      fail("its elements must be texts or numbers");
    }
    const std::string text = tag.is_string() ? tag.get<std::string>() : tag.dump();
    if (!trimmed(text).empty()) add(trimmed(text));
  }
}

TagLabels labels_of_tags(const std::vector<std::string>& tags, const BinaryMatrix& rows,
                         Index least) {
  std::vector<Index> count(tags.size(), 0);
  for (const LabelId code : rows.column) ++count[as_size(code)];
  std::vector<std::size_t> order(tags.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::size_t code) -> const std::string& { return tags[code]; });
  TagLabels labels{.names = {}, .label_of = std::vector<LabelId>(tags.size(), kRare), .rare = {}};
  std::vector<std::size_t> rare;
  for (const std::size_t code : order) {
    if (count[code] < least) {
      rare.push_back(code);
    } else {
      labels.label_of[code] = static_cast<LabelId>(labels.names.size());
      labels.names.push_back(tags[code]);
    }
  }
  std::ranges::stable_sort(rare, std::ranges::greater{},
                           [&](std::size_t code) { return count[code]; });
  for (const std::size_t code : rare) labels.rare.push_back(tags[code]);
  return labels;
}

BinaryMatrix with_labels(const BinaryMatrix& codes, const TagLabels& labels) {
  BinaryMatrix result;
  result.cols = std::ssize(labels.names);
  for (Index row = 0; row < codes.rows(); ++row) {
    const auto begin = std::ssize(result.column);
    for (const LabelId code : codes.row(row)) {
      const LabelId label = labels.label_of[as_size(code)];
      if (label != kRare) result.column.push_back(label);
    }
    std::sort(result.column.begin() + begin, result.column.end());
    result.end_row();
  }
  return result;
}

}  // namespace mugrad::formats
