// SPDX-License-Identifier: MIT
#include "data/formats/csv/delimiter.h"

#include "core/input/input_name.h"
#include "core/printable.h"
#include "data/formats/csv/csv_scanner.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

namespace mugrad {
namespace {

struct DelimiterName {
  char delimiter;
  std::string_view name;  ///< in options
  std::string_view text;  ///< in messages
};
constexpr std::array<DelimiterName, kDelimiters.size()> kNames = {
    {{',', ",", "','"}, {';', ";", "';'"}, {'\t', "tab", "a tab"}, {'|', "|", "'|'"}}};

const DelimiterName* named(char delimiter) {
  const auto* const found = std::ranges::find(kNames, delimiter, &DelimiterName::delimiter);
  return found == kNames.end() ? nullptr : found;
}

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError(fmt::format("there is no delimiter '{}'; there are , ; | and tab",
                               printable(std::string(text))));
}

}  // namespace

char delimiter_named(std::string_view text) {
  if (text == "\\t" || text == "\t") return '\t';
  for (const auto& [delimiter, name, _] : kNames) {
    if (text == name) return delimiter;
  }
  refuse(text);
}

namespace formats {
namespace {

/// The records that are looked at, and the bytes after which no further one is.
constexpr std::size_t kMostRecords = 64;
constexpr std::ptrdiff_t kMostBytes = 1 << 20;

/// How a delimiter splits the first records.
struct Split {
  char delimiter = ',';
  std::size_t width = 0;    ///< cells in the line of column names
  std::size_t records = 0;  ///< that were looked at, without the first
  std::size_t same = 0;     ///< of these, how many have `width` cells
  std::size_t next = 0;     ///< cells in the first of these
  std::size_t alike = 0;    ///< how many have `next` cells
  bool is_whole = true;     ///< no quote is misplaced

  /// Every record has a cell for each of several columns.
  bool fits() const noexcept { return width > 1 && same == records && is_whole; }
  /// Only the first line is not split like the others.
  bool lacks_header() const noexcept {
    return width == 1 && records > 1 && next > 1 && alike == records && is_whole;
  }
};

std::size_t cells_in_record(CsvScanner& scanner) {
  std::size_t count = 1;
  while (!scanner.next_cell().last) ++count;
  return count;
}

Split split_by(char delimiter, const SourceText& source) {
  Split split{.delimiter = delimiter};
  CsvScanner scanner(source, source.begin(), delimiter);
  try {
    if (scanner.next_record()) split.width = cells_in_record(scanner);
    while (split.records < kMostRecords && scanner.position() - source.begin() < kMostBytes &&
           scanner.next_record()) {
      const auto width = cells_in_record(scanner);
      if (split.records++ == 0) split.next = width;
      if (width == split.width) ++split.same;
      if (width == split.next) ++split.alike;
    }
  } catch (const InputError&) {
    split.is_whole = false;  // reading by this delimiter would fail, and say where
  }
  return split;
}

}  // namespace

std::string_view delimiter_text(char delimiter) {
  const DelimiterName* const name = named(delimiter);
  return name == nullptr ? "a delimiter" : name->text;
}

bool is_tab_file(const std::filesystem::path& path) {
  return same_word(without_compression(path).extension().string(), ".tsv");
}

char find_delimiter(const SourceText& source, const std::filesystem::path& path,
                    const ReadOptions& options) {
  if (options.delimiter) {
    if (named(*options.delimiter) == nullptr) refuse({&*options.delimiter, 1});
    return *options.delimiter;
  }
  std::vector<Split> splits;
  for (const char delimiter : kDelimiters) splits.push_back(split_by(delimiter, source));
  const auto worth = [&](const Split& split) {
    const bool is_usual = split.delimiter == '\t' && is_tab_file(path);
    return std::tuple(split.width > 1, split.width > 1 && is_usual, split.fits(), split.same,
                      split.width);
  };
  // The first of equals, in the order of kDelimiters.
  const Split& best = *std::ranges::max_element(splits, {}, worth);
  if (best.width > 1) return best.delimiter;
  const auto misplaced = std::ranges::find_if(splits, &Split::lacks_header);
  if (misplaced != splits.end()) {
    source.fail(source.begin(),
                fmt::format("the first line has no {0}, but every later one has; expected column "
                            "names with {0} between them, or {1}",
                            delimiter_text(misplaced->delimiter),
                            option_text(Option::delimiter, "DELIMITER")));
  }
  return is_tab_file(path) ? '\t' : ',';
}

}  // namespace formats
}  // namespace mugrad
