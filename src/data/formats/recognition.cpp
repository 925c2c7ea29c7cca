// SPDX-License-Identifier: MIT
#include "data/formats/recognition.h"

#include "data/formats/number.h"
#include "data/formats/svm/svm_rows.h"
#include "data/formats/svm/xmc.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mugrad::formats {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> kEndings = {{
    {".arff", Format::arff},
    {".libsvm", Format::libsvm},
    {".svm", Format::libsvm},
    {".xmc", Format::xmc},
    {".txt", Format::xmc},
    {".csv", Format::csv},
}};

/// Lines of labels alone look like CSV; among this many one with a feature should come.
constexpr int kLinesLookedAt = 1000;

bool is_arff_keyword(std::string_view line) {
  const auto word = line.substr(0, line.find_first_of(" \t"));
  return same_word(word, "@relation") || same_word(word, "@attribute") || same_word(word, "@data");
}

bool is_feature(std::string_view token) {
  const auto colon = token.find(':');
  return colon != std::string_view::npos && integer_in(token.substr(0, colon)) &&
         number_in(token.substr(colon + 1));
}

bool is_label_list(std::string_view token) {
  return !token.empty() && token.find_first_not_of("0123456789,") == std::string_view::npos;
}

enum class SvmLine { features, labels_only, other };

SvmLine svm_line(std::string_view line) {
  bool features = false;
  for (bool first = true;; first = false) {
    line = trimmed(line);
    if (line.empty()) return features ? SvmLine::features : SvmLine::labels_only;
    const auto token = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(token.size());
    if (is_feature(token)) {
      features = true;
    } else if (!first || !is_label_list(token)) {
      return SvmLine::other;
    }
  }
}

bool is_libsvm(const SourceText& source) {
  LineReader lines(source.begin(), source.end());
  std::string_view line;
  for (int i = 0; i < kLinesLookedAt && lines.next(line); ++i) {
    bool had_comment = false;
    const auto kind = svm_line(without_comment(line, had_comment));
    if (kind != SvmLine::labels_only) return kind == SvmLine::features;
  }
  return false;
}

/// The first line that is neither blank nor an ARFF comment.
std::string_view first_line(const SourceText& source) {
  LineReader lines(source.begin(), source.end());
  std::string_view line;
  while (lines.next(line)) {
    line = trimmed(line);
    if (!line.empty() && line.front() != '%') return line;
  }
  return {};
}

}  // namespace

std::optional<Format> format_of_ending(const std::filesystem::path& path) {
  const auto ending = path.extension().string();
  for (const auto& [known, format] : kEndings) {
    if (same_word(ending, known)) return format;
  }
  return std::nullopt;
}

Format recognise(const SourceText& source, const std::filesystem::path& path) {
  const auto first = first_line(source);
  if (is_arff_keyword(first)) return Format::arff;
  if (xmc_counts(first)) return Format::xmc;
  if (is_libsvm(source)) return Format::libsvm;
  const auto ending = format_of_ending(path);
  if (ending) return *ending;
  // A quoted name may hold the newline before the first comma.
  if (first.starts_with('"') || first.find(',') != std::string_view::npos) return Format::csv;
  source.fail(fmt::format(
      "the format cannot be told: the file begins neither like ARFF, LIBSVM, XMC nor CSV, and its "
      "ending is none of .arff, .libsvm, .svm, .xmc, .txt and .csv; {} names it",
      option_text(Option::format)));
}

}  // namespace mugrad::formats
