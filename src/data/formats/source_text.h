// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/mapped_file.h>
#include <mugrad/core/progress.h>

#include <string>
#include <string_view>

namespace mugrad::formats {

/// The text of a file being read; says where in it something is. Positions are pointers into the
/// text, so that reading costs no bookkeeping: lines are counted when an error needs them.
class SourceText {
 public:
  /// Passes over a UTF-8 byte order mark. Throws InputError when the file is empty or holds
  /// bytes that no text has. Requires: `bytes` and `progress` outlive this.
  SourceText(std::string name, std::string_view bytes, Progress* progress = nullptr);
  /// The text of a file of any size, of which no more is kept in memory than is being read.
  /// Requires: `file` and `progress` outlive this.
  SourceText(std::string name, const MappedFile& file, Progress* progress = nullptr);

  const std::string& name() const noexcept { return name_; }
  const char* begin() const noexcept { return text_.data(); }
  const char* end() const noexcept { return text_.data() + text_.size(); }

  /// Says that reading has come to `at`, and updates the progress once per mebibyte. Cheap to call
  /// for every row.
  void reached(const char* at) const {
    if (at < checked_) checked_ = at;  // someone has gone back
    if (at - checked_ >= kBetweenUpdates) tell_progress(at);
  }

  /// Says that what stands before `at` will hardly be read again. Cheap to call often.
  void release_before(const char* at) const noexcept;

  /// 1-based.
  std::size_t line_of(const char* at) const;
  /// Throws InputError `name:line:column: what`.
  [[noreturn]] void fail(const char* at, std::string_view what) const;
  /// Throws InputError `name: what`.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  static constexpr std::ptrdiff_t kBetweenUpdates = 1 << 20;

  SourceText(std::string name, std::string_view bytes, const MappedFile* file, Progress* progress);
  const char* find_zero() const;
  void tell_progress(const char* at) const;

  std::string name_;
  std::string_view text_;
  const MappedFile* file_;
  Progress* progress_;
  mutable double told_ = 0;       ///< the largest share so far: a text may be read twice
  mutable const char* released_;  ///< up to where, the last time
  mutable const char* checked_;   ///< where the progress was told last
};

/// A piece of a file between quotes, for a message: cut when long, control bytes made visible.
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

/// Goes through the lines of a text; neither "\n" nor "\r\n" belongs to a line.
class LineReader {
 public:
  LineReader(const char* begin, const char* end) noexcept : next_(begin), end_(end) {}

  /// False when there are no more lines.
  bool next(std::string_view& line) noexcept;
  /// Where the line after the current one starts.
  const char* position() const noexcept { return next_; }

 private:
  const char* next_;
  const char* end_;
};

}  // namespace mugrad::formats
