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

/// Appends the tags of a cell; returns why it has none, or an empty text.
std::string read_tags(std::string_view text, const TagSyntax& syntax,
                      std::vector<std::string>& tags) {
  const bool is_array = text.starts_with('[') && text.ends_with(']');
  if (syntax.separator.empty()) return read_tag_array(text, tags);
  if (syntax.may_be_array && is_array && read_tag_array(text, tags).empty()) return {};
  split_tags(text, syntax.separator.front(), tags);
  return {};
}

/// The label of an item that `mugrad predict --json` writes, or null.
const nlohmann::json* label_of_prediction(const nlohmann::json& item) {
  if (!item.is_object()) return nullptr;
  const auto label = item.find("label");
  return label == item.end() || !label->is_string() ? nullptr : &*label;
}

}  // namespace

void split_tags(std::string_view text, char separator, std::vector<std::string>& tags) {
  const bool has_escapes = separator == ';';
  bool is_escaped_empty = false;
  std::string tag;
  std::size_t size = 0;  // without blanks at the end, unless they are escaped
  const auto finish = [&] {
    tag.resize(size);
    if (!tag.empty() || is_escaped_empty) tags.push_back(as_utf8(tag));
    tag.clear();
    size = 0;
    is_escaped_empty = false;
  };
  const auto add = [&](char c) {
    tag += c;
    size = tag.size();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (has_escapes && text[i] == '\\' && i + 1 < text.size()) {
      const char escaped = text[++i];
      if (escaped == '0') {
        is_escaped_empty = true;
      } else {
        if (escaped != ';' && escaped != '\\' && !is_blank(escaped)) add('\\');
        add(escaped);
      }
    } else if (text[i] == separator) {
      finish();
    } else if (!is_blank(text[i])) {
      add(text[i]);
    } else if (!tag.empty()) {
      tag += text[i];
    }
  }
  finish();
}

std::string read_tag_array(std::string_view text, std::vector<std::string>& tags) {
  nlohmann::json value;
  try {
    value = parse_json(text);
  } catch (const InputError& error) {
    return error.what();
  }
  if (!value.is_array()) return "expected [\"first\", \"second\"]";
  std::vector<std::string> found;
  for (const auto& tag : value) {
    if (tag.is_null()) continue;
    if (const auto* const label = label_of_prediction(tag)) {
      found.push_back(label->get<std::string>());
      continue;
    }
    if (!tag.is_string() && !tag.is_number() && !tag.is_boolean()) {
      return R"(its elements must be texts, numbers or objects such as {"label": "first"})";
    }
    const std::string name = tag.is_string() ? tag.get<std::string>() : tag.dump();
    if (!trimmed(name).empty()) found.emplace_back(trimmed(name));
  }
  tags.insert(tags.end(), found.begin(), found.end());
  return {};
}

KnownTags::KnownTags(std::vector<std::string> known, std::vector<TagSyntax> candidates)
    : known_(std::move(known)), candidates_(std::move(candidates)), found_(candidates_.size()) {}

void KnownTags::add(std::string_view cell) {
  if (cells_++ == 0) first_cell_ = as_utf8(cell);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    tags_.clear();
    read_tags(cell, candidates_[i], tags_);
    const Index known = std::ranges::count_if(
        tags_, [&](const std::string& tag) { return known_.find(tag) != ValueCodes::kUnknown; });
    if (known > 0) ++found_[i].any;
    if (known > 0 && known == std::ssize(tags_)) ++found_[i].whole;
  }
}

const TagSyntax& KnownTags::best() const {
  const auto in_order = [](const Known& known) { return std::pair(known.whole, known.any); };
  const auto best = std::ranges::max_element(found_, {}, in_order);
  return candidates_[as_size(best - found_.begin())];
}

bool KnownTags::has_known() const noexcept {
  return std::ranges::any_of(found_, [](const Known& known) { return known.any > 0; });
}

TagReader::TagReader(const SourceText& source, TagSyntax syntax, std::vector<std::string> known)
    : source_(&source),
      syntax_(std::move(syntax)),
      knows_all_(!known.empty()),
      codes_(std::move(known)) {}

const std::vector<LabelId>& TagReader::read(const Cell& cell) {
  row_.clear();
  tags_.clear();
  const auto why = read_tags(cell.text, syntax_, tags_);
  if (!why.empty()) {
    source_->fail(cell.at,
                  fmt::format("{} is not a JSON array of tags: {}", shown(cell.text), why));
  }
  for (const auto& tag : tags_) add(tag);
  std::ranges::sort(row_);
  row_.erase(std::unique(row_.begin(), row_.end()), row_.end());
  return row_;
}

void TagReader::add(const std::string& tag) {
  const auto code = knows_all_ ? codes_.find(tag) : codes_.intern(tag);
  if (code != ValueCodes::kUnknown) {
    row_.push_back(code);
  } else if (ignored_++ == 0) {
    first_ignored_ = tag;
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
