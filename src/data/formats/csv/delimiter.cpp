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

/// How a delimiter fits the first records.
struct DelimiterFit {
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

DelimiterFit fit_of(char delimiter, const SourceText& source) {
  DelimiterFit fit{.delimiter = delimiter};
  CsvScanner scanner(source, source.begin(), delimiter);
  try {
    if (scanner.next_record()) fit.width = cells_in_record(scanner);
    while (fit.records < kMostRecords && scanner.position() - source.begin() < kMostBytes &&
           scanner.next_record()) {
      const auto width = cells_in_record(scanner);
      if (fit.records++ == 0) fit.next = width;
      if (width == fit.width) ++fit.same;
      if (width == fit.next) ++fit.alike;
    }
  } catch (const InputError&) {
    fit.is_whole = false;  // reading by this delimiter would fail, and say where
  }
  return fit;
}

}  // namespace

std::string_view delimiter_text(char delimiter) {
  if (delimiter == kNoDelimiter) return "a newline";
  const DelimiterName* const name = named(delimiter);
  return name == nullptr ? "a delimiter" : name->text;
}

bool is_tab_file(const std::filesystem::path& path) {
  return same_word(without_compression(path).extension().string(), ".tsv");
}

namespace {

/// Whether the only column, whose cells may have any characters, lists the tags of each row.
bool has_only_tags(const SourceText& source, const ReadOptions& options) {
  if (options.tags.empty()) return false;
  CsvScanner scanner(source, source.begin(), kNoDelimiter);
  if (!scanner.next_record()) return false;
  const CsvCell name = scanner.next_cell();
  return name.last && name.text == options.tags;
}

}  // namespace

char find_delimiter(const SourceText& source, const std::filesystem::path& path,
                    const ReadOptions& options) {
  if (options.delimiter) {
    if (named(*options.delimiter) == nullptr) refuse({&*options.delimiter, 1});
    return *options.delimiter;
  }
  std::vector<DelimiterFit> fits;
  for (const char delimiter : kDelimiters) fits.push_back(fit_of(delimiter, source));
  const auto worth = [&](const DelimiterFit& fit) {
    const bool is_usual = fit.delimiter == '\t' && is_tab_file(path);
    return std::tuple(fit.width > 1, fit.width > 1 && is_usual, fit.fits(), fit.same, fit.width);
  };
  // The first of equals, in the order of kDelimiters.
  const DelimiterFit& best = *std::ranges::max_element(fits, {}, worth);
  if (best.width > 1) return best.delimiter;
  if (has_only_tags(source, options)) return kNoDelimiter;
  const auto misplaced = std::ranges::find_if(fits, &DelimiterFit::lacks_header);
  if (misplaced != fits.end()) {
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
