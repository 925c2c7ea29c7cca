// SPDX-License-Identifier: MIT
#include "data/formats/formats.h"

#include "core/input/input_name.h"
#include "core/printable.h"
#include "data/formats/table/column_types.h"
#include "data/formats/table/model_types.h"
#include "data/text/term_reader.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <cassert>
#include <cstddef>
#include <vector>

namespace mugrad::formats {
namespace {

using Definition = const FormatKind& (*)();

/// The only list of formats: the compiler warns if one is missing.
Definition definition_of(Format format) {
  switch (format) {
    case Format::arff:
      return arff_format;
    case Format::libsvm:
      return libsvm_format;
    case Format::xmc:
      return xmc_format;
    case Format::csv:
      return csv_format;
    case Format::jsonl:
      return jsonl_format;
  }
  return nullptr;  // after the last
}

/// The first line that is neither blank nor an ARFF comment; empty, at the end of the file, if
/// there is none.
std::string_view first_line(const SourceText& source) {
  LineReader lines(source.begin(), source.end());
  std::string_view line;
  while (lines.next(line)) {
    line = trimmed(line);
    if (!line.empty() && line.front() != '%') return line;
  }
  return std::string_view(source.end(), source.end());
}

[[noreturn]] void refuse_unknown(const SourceText& source) {
  std::vector<std::string_view> titles;
  for (const FormatKind* const kind : format_kinds()) titles.push_back(kind->info.title);
  source.fail(
      fmt::format("the format is not known: the file does not begin like {}, and its "
                  "extension is none of {}; set it with {}",
                  in_words(titles, "or"), known_endings("and"), option_text(Option::format)));
}

/// Options that name columns mean nothing where columns have no names.
void refuse_names(const FormatInfo& format, const ReadOptions& options) {
  const auto refuse = [&](bool given, Option option) {
    if (given) {
      throw UsageError(fmt::format("{} names columns, and {} files have no names",
                                   option_text(option), format.name));
    }
  };
  refuse(!options.labels_xml.empty(), Option::labels_xml);
  refuse(!options.label_columns.empty(), Option::label_columns);
  refuse(!options.drop.empty(), Option::drop);
  refuse(!options.tags.empty(), Option::tags);
  for (const auto& chosen : options.roles) refuse(true, option_of(chosen.role));
}

[[noreturn]] void refuse_delimiter(const FormatInfo& format) {
  throw UsageError(fmt::format("{} says what separates cells, and the format of {} files fixes it",
                               option_text(Option::delimiter), format.name));
}

}  // namespace

std::span<const FormatKind* const> format_kinds() {
  static const auto all = [] {
    std::vector<const FormatKind*> found;
    for (int k = 0;; ++k) {
      const Definition define = definition_of(static_cast<Format>(k));
      if (define == nullptr) return found;
      found.push_back(&define());
    }
  }();
  return all;
}

const FormatKind& kind_of(Format format) {
  const Definition define = definition_of(format);
  assert(define != nullptr);
  return define();
}

const FormatKind* format_of_ending(const std::filesystem::path& path) {
  const auto ending = path.extension().string();
  for (const FormatKind* const kind : format_kinds()) {
    for (const auto known : kind->info.endings) {
      if (same_word(ending, known)) return kind;
    }
  }
  return nullptr;
}

std::string known_endings(std::string_view last) {
  std::vector<std::string_view> endings;
  for (const FormatKind* const kind : format_kinds()) {
    endings.insert(endings.end(), kind->info.endings.begin(), kind->info.endings.end());
  }
  return in_words(endings, last);
}

const FormatKind& recognise(const SourceText& source, const std::filesystem::path& path) {
  const auto first = first_line(source);
  const auto matching = [&](bool certain) -> const FormatKind* {
    if (first.empty()) return nullptr;
    for (const FormatKind* const kind : format_kinds()) {
      if (kind->match_is_certain == certain && kind->matches(source, first)) return kind;
    }
    return nullptr;
  };
  if (const auto* const kind = matching(true)) return *kind;
  const auto named = without_compression(path);
  const auto* const by_ending = format_of_ending(named);
  // Any text may be called so, and not only files of the format that has this ending, too.
  const bool is_any_text = same_word(named.extension().string(), ".txt");
  if (by_ending != nullptr && !is_any_text) return *by_ending;
  if (const auto* const kind = matching(false)) return *kind;
  if (by_ending != nullptr) return *by_ending;
  refuse_unknown(source);
}

const FormatKind& format_to_read(const SourceText& source, const std::filesystem::path& path,
                                 const ReadOptions& options) {
  return options.format ? kind_of(*options.format) : recognise(source, path);
}

bool can_be_live(const std::string& name, std::string_view head, const std::filesystem::path& path,
                 const ReadOptions& options) {
  if (!options.as_they_come || !needs_no_rows(options)) return false;
  try {
    const SourceText source(name, head);
    const FormatKind& kind = format_to_read(source, path, options);
    return kind.reads_live != nullptr && kind.reads_live(source, options);
  } catch (const InputError&) {
    return false;  // as a whole file, it is refused with all that can be said
  }
}

std::unique_ptr<RowSource> open_rows(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options) {
  check_text_options(options.text);
  const FormatKind& kind = format_to_read(source, path, options);
  if (!kind.info.has_names) refuse_names(kind.info, options);
  if (options.delimiter && !kind.info.has_delimiter) refuse_delimiter(kind.info);
  return kind.open(source, path, options);
}

}  // namespace mugrad::formats
