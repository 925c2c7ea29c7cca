// SPDX-License-Identifier: MIT
#pragma once

#include "core/input/live_text.h"
#include "core/mapped_file.h"

#include <mugrad/core/progress.h>

#include <string>
#include <string_view>
#include <utility>

namespace mugrad::formats {

/// The text of a file, with positions for messages. Positions are pointers into the text, so that
/// reading needs no bookkeeping: lines are only counted for errors. A table in memory has no text,
/// and finds its own words for positions.
class SourceText {
 public:
  /// Skips a UTF-8 byte order mark. Throws InputError if the file is empty or contains bytes that
  /// do not occur in text. Requires: `bytes` and `progress` outlive this.
  SourceText(std::string name, std::string_view bytes, Progress* progress = nullptr);
  /// The text of a file of any size; only the part being read is kept in memory. Requires: `file`
  /// and `progress` outlive this.
  SourceText(std::string name, const MappedFile& file, Progress* progress = nullptr);
  /// The text of a pipe as it comes: it grows, and positions stay valid. Requires: `live`, which
  /// has its first line, and `progress` outlive this.
  SourceText(std::string name, LiveText& live, Progress* progress = nullptr);
  virtual ~SourceText() = default;

  const std::string& name() const noexcept { return name_; }
  const char* begin() const noexcept { return text_.data(); }
  const char* end() const noexcept { return text_.data() + text_.size(); }

  bool is_live() const noexcept { return live_ != nullptr; }
  /// Waits until the text is longer, which moves its end; returns false at the end of the input.
  /// Throws InputError for bytes that do not occur in text. Requires: it is live.
  bool grow() const;
  /// Reads on until is_whole() or the end of the input.
  template <class IsWhole>
  void wait_until(IsWhole is_whole) const {
    while (!is_whole() && grow()) continue;
  }
  /// Whether is_whole(), or the end of the input, needs no waiting.
  template <class IsWhole>
  bool is_there(IsWhole is_whole) const {
    while (!is_whole()) {
      if (!live_->is_ready()) return false;
      if (!grow()) return true;
    }
    return true;
  }

  /// Reports that reading has reached `at`; updates the progress once per mebibyte. Cheap enough
  /// for every row.
  void reached(const char* at) const {
    if (at < checked_) checked_ = at;  // the reader has gone back
    if (at - checked_ >= kBetweenUpdates) update_progress(at);
  }

  /// Reports that text before `at` is unlikely to be read again. Cheap to call often.
  void release_before(const char* at) const noexcept;

  /// 1-based.
  std::size_t line_of(const char* at) const;
  /// The place without the name, for messages: "on line 7".
  virtual std::string line_text(const char* at) const;
  /// Throws InputError `name:line:column: what`.
  [[noreturn]] void fail(const char* at, std::string_view what) const;
  /// Throws InputError `name: what`.
  [[noreturn]] void fail(std::string_view what) const;

 protected:
  /// For a table that is no text; its positions are addresses of cells.
  explicit SourceText(std::string name)
      : name_(std::move(name)),
        file_(nullptr),
        live_(nullptr),
        progress_(nullptr),
        released_(nullptr),
        checked_(nullptr) {}
  /// `name:line:column`.
  virtual std::string place_of(const char* at) const;

 private:
  static constexpr std::ptrdiff_t kBetweenUpdates = 1 << 20;

  SourceText(std::string name, std::string_view bytes, const MappedFile* file, LiveText* live,
             Progress* progress);
  void check_is_text(const char* from) const;
  const char* find_zero(const char* from) const;
  void update_progress(const char* at) const;

  std::string name_;
  mutable std::string_view text_;
  const MappedFile* file_;
  LiveText* live_;
  Progress* progress_;
  mutable double reported_ = 0;             ///< the largest share so far: a text may be read twice
  mutable const char* released_;            ///< the last position
  mutable std::size_t released_lines_ = 0;  ///< of a live text: before that position
  mutable const char* checked_;             ///< position of the last update
};

/// A quoted excerpt of a file for a message: cut if long, control bytes made visible.
std::string shown(std::string_view text);

/// Space or tab.
inline bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
inline const char* skip_blanks(const char* at, const char* end) noexcept {
  while (at != end && is_blank(*at)) ++at;
  return at;
}
std::string_view trimmed(std::string_view text) noexcept;
/// Compares ASCII letters without regard to case.
bool same_word(std::string_view a, std::string_view b) noexcept;

/// Iterates over the lines of a text, without "\n" or "\r\n".
class LineReader {
 public:
  LineReader(const char* begin, const char* end) noexcept : next_(begin), end_(end) {}

  /// False when there are no more lines.
  bool next(std::string_view& line) noexcept;
  /// The start of the line after the current one.
  const char* position() const noexcept { return next_; }

 private:
  const char* next_;
  const char* end_;
};

}  // namespace mugrad::formats
