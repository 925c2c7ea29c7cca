// SPDX-License-Identifier: MIT
#include "data/formats/table/column_survey.h"

#include "core/utf8.h"
#include "data/formats/number.h"
#include "data/formats/source_text.h"
#include "data/formats/table/attribute.h"
#include "data/formats/table/tags.h"
#include "data/formats/unread_forms.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace mugrad::formats {
namespace {

/// Calls take(word) for the parts of a text between blanks.
template <class Take>
void for_each_word(std::string_view text, Take&& take) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while ((at = skip_blanks(at, end)) != end) {
    const char* const stop = std::find_if(at, end, is_blank);
    take(std::string_view(at, as_size(stop - at)));
    at = stop;
  }
}

/// Tables of zeros and ones have little else.
bool is_digit(const Cell& cell) noexcept {
  return !cell.missing && cell.text.size() == 1 && cell.text[0] >= '0' && cell.text[0] <= '9';
}

void look_for_unread(CellFacts& facts, std::string_view text) {
  if (looks_like_number(text)) {
    ++facts.unread_numbers;
  } else if (looks_like_date(text)) {
    ++facts.unread_dates;
  } else {
    return;
  }
  if (facts.first_unread.empty()) facts.first_unread = text;
}

}  // namespace

void DistinctTexts::add(std::string_view text) {
  if (count_ == kMost) return;
  if (2 * count_ >= slots_.size()) {
    const auto old = std::exchange(
        slots_, std::vector<std::uint64_t>(std::max<std::size_t>(16, 2 * slots_.size()), 0));
    for (const std::uint64_t hash : old) {
      if (hash == 0) continue;
      auto at = hash & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = hash;
    }
  }
  const std::uint64_t hash = std::hash<std::string_view>{}(text) | 1U;
  auto at = hash & (slots_.size() - 1);
  while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at] == hash) return;
  slots_[at] = hash;
  ++count_;
}

ColumnSurvey::ColumnSurvey(std::vector<bool> is_open, const std::vector<bool>& has_tags,
                           bool numbers_are_values)
    : is_open_(std::move(is_open)),
      facts_(is_open_.size()),
      tags_(as_size(std::ranges::find(has_tags, true) - has_tags.begin())),
      numbers_are_values_(numbers_are_values) {
  if (tags_ < is_open_.size()) is_open_[tags_] = true;
}

void ColumnSurvey::look_at(std::size_t column, const Cell& cell) {
  auto& facts = facts_[column];
  if (is_digit(cell) && column != tags_) {
    ++facts.numbers;
    return;
  }
  if (cell.missing || means_missing(cell.text)) {
    ++facts.missing;
    return;
  }
  if (column == tags_ && known_tags_ != nullptr) return known_tags_->add(cell.text);
  if (column == tags_) look_for_separators(cell.text);
  facts.bytes += std::ssize(cell.text);
  const bool is_number = number_in(cell.text).has_value();
  if (is_number) {
    ++facts.words;
    ++facts.numbers;
    if (!numbers_are_values_) return;
  } else {
    for_each_word(cell.text, [&](std::string_view) { ++facts.words; });
  }
  facts.distinct.add(cell.text);
  if (truth_of(cell.text)) ++facts.truths;
  if (is_number) return;
  if (date_in(cell.text)) {
    ++facts.dates;
    return;
  }
  look_for_unread(facts, cell.text);
  if (facts.texts++ == 0) {
    facts.first_text = cell.text;
    facts.first_text_at = cell.at;
  }
}

void ColumnSurvey::keep(std::size_t column, std::string_view text) {
  if (std::ssize(first_rows_) <= rows_) first_rows_.emplace_back(is_open_.size());
  auto& kept = first_rows_.back()[column];
  kept = as_utf8(text.substr(0, kLongestCell));
  if (text.size() <= kLongestCell) return;
  // A character that was cut is not UTF-8, and its bytes would be read as Latin-1.
  auto end = kLongestCell;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  kept = as_utf8(text.substr(0, end)) + "...";
}

void ColumnSurvey::look_for_separators(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) ++separators_.arrays;
  for (std::size_t i = 0; i < SeparatorFacts::kCharacters.size(); ++i) {
    if (text.find(SeparatorFacts::kCharacters[i]) != std::string_view::npos) {
      ++separators_.cells_with[i];
    }
  }
  separators_.cells.add(text);
  for_each_word(text, [&](std::string_view word) { separators_.words.add(word); });
}

}  // namespace mugrad::formats
