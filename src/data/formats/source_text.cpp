// SPDX-License-Identifier: MIT
#include "data/formats/source_text.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mugrad::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLongestQuote = 60;
/// Control bytes are only searched for at the start; zero bytes everywhere.
constexpr std::size_t kInspected = 4096;
/// Bytes that are searched for zeros, and released, at a time.
constexpr std::size_t kLookedThrough = 1 << 22;

bool is_control(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f') || byte == 0x7F;
}

/// Continuation bytes of UTF-8 do not count as columns.
bool starts_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

SourceText::SourceText(std::string name, std::string_view bytes, Progress* progress)
    : SourceText(std::move(name), bytes, nullptr, nullptr, progress) {}

SourceText::SourceText(std::string name, const MappedFile& file, Progress* progress)
    : SourceText(std::move(name), file.bytes(), &file, nullptr, progress) {}

SourceText::SourceText(std::string name, LiveText& live, Progress* progress)
    : SourceText(std::move(name), live.bytes(), nullptr, &live, progress) {}

SourceText::SourceText(std::string name, std::string_view bytes, const MappedFile* file,
                       LiveText* live, Progress* progress)
    : name_(std::move(name)),
      text_(bytes),
      file_(file),
      live_(live),
      progress_(progress),
      released_(bytes.data()),
      checked_(bytes.data()) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  if (text_.empty()) throw InputError(fmt::format("{} is empty", name_));
  check_is_text(begin());
}

void SourceText::check_is_text(const char* from) const {
  const auto start =
      text_.substr(0, kInspected).substr(std::min(kInspected, as_size(from - begin())));
  const auto control = std::ranges::find_if(start, is_control);
  const char* at = control != start.end() ? &*control : find_zero(from);
  if (at == nullptr) return;
  fail(at, fmt::format("byte 0x{:02x} does not occur in text; expected a text file in UTF-8",
                       static_cast<unsigned char>(*at)));
}

bool SourceText::grow() const {
  const char* const from = end();
  if (!live_->grow()) return false;
  const auto bytes = live_->bytes();
  text_ = {begin(), as_size(bytes.data() + bytes.size() - begin())};
  check_is_text(from);
  return true;
}

void SourceText::update_progress(const char* at) const {
  checked_ = at;
  if (!is_live()) {
    reported_ =
        std::max(reported_, static_cast<double>(at - begin()) / static_cast<double>(text_.size()));
  }
  advance(progress_, reported_);
}

const char* SourceText::find_zero(const char* from) const {
  for (const char* at = from; at != end();) {
    const auto size = std::min(kLookedThrough, as_size(end() - at));
    if (const void* zero = std::memchr(at, 0, size)) return static_cast<const char*>(zero);
    at += size;
    if (is_live()) continue;
    reached(at);
    release_before(at);
  }
  return nullptr;
}

void SourceText::release_before(const char* at) const noexcept {
  // Text that is read again is released again.
  if (at < released_ && !is_live()) released_ = at;
  const bool is_kept = file_ == nullptr && !is_live();
  if (is_kept || at - released_ < static_cast<std::ptrdiff_t>(kLookedThrough)) return;
  if (is_live()) {
    released_lines_ += as_size(std::count(released_, at, '\n'));
    live_->release_before(at);
  } else {
    file_->release_before(at);
  }
  released_ = at;
}

std::size_t SourceText::line_of(const char* at) const {
  if (is_live() && at >= released_) {
    return released_lines_ + as_size(std::count(released_, at, '\n')) + 1;
  }
  return as_size(std::count(begin(), at, '\n')) + 1;
}

std::string SourceText::line_text(const char* at) const {
  return fmt::format("on line {}", line_of(at));
}

std::string SourceText::place_of(const char* at) const {
  const std::string_view before(begin(), as_size(at - begin()));
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column = std::ranges::count_if(before.substr(line_start), starts_character) + 1;
  return fmt::format("{}:{}:{}", name_, line_of(at), column);
}

void SourceText::fail(const char* at, std::string_view what) const {
  throw InputError(fmt::format("{}: {}", place_of(at), what));
}

void SourceText::fail(std::string_view what) const {
  throw InputError(fmt::format("{}: {}", name_, what));
}

std::string shown(std::string_view text) {
  std::string result = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i >= kLongestQuote && starts_character(text[i])) {
      result += "...";
      break;
    }
    if (is_control(text[i]) || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    } else {
      result += text[i];
    }
  }
  return result + "'";
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool LineReader::next(std::string_view& line) noexcept {
  if (next_ == end_) return false;
  const auto left = as_size(end_ - next_);
  const void* newline = std::memchr(next_, '\n', left);
  const char* line_end = newline == nullptr ? end_ : static_cast<const char*>(newline);
  line = {next_, as_size(line_end - next_)};
  if (line.ends_with('\r')) line.remove_suffix(1);
  next_ = newline == nullptr ? end_ : line_end + 1;
  return true;
}

}  // namespace mugrad::formats
