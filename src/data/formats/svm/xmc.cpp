// SPDX-License-Identifier: MIT
#include "data/formats/number.h"
#include "data/formats/svm/svm_rows.h"
#include "data/formats/table/column_names.h"
#include "data/formats/write_rows.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mugrad::formats {
namespace {

constexpr Index kFirstFeature = 0;

struct XmcCounts {
  Index examples = 0;
  Index features = 0;
  Index labels = 0;
};

/// The counts of a first line, when it is one.
std::optional<XmcCounts> xmc_counts(std::string_view line) noexcept {
  std::array<Index, 3> counts{};
  for (auto& count : counts) {
    line = trimmed(line);
    const auto size = std::min(line.find_first_of(" \t"), line.size());
    const auto value = integer_in(line.substr(0, size));
    if (!value || *value < 0) return std::nullopt;
    count = *value;
    line.remove_prefix(size);
  }
  if (!trimmed(line).empty()) return std::nullopt;
  return XmcCounts{counts[0], counts[1], counts[2]};
}

XmcCounts read_counts(const SourceText& source, std::string_view line, const ReadOptions& options) {
  const auto counts = xmc_counts(line);
  if (!counts) {
    source.fail(line.data(), fmt::format("{} as the first line, expected three numbers 'examples "
                                         "features labels'",
                                         shown(line)));
  }
  if (std::max(counts->features, counts->labels) >= kMostColumns) {
    source.fail(line.data(),
                fmt::format("more features or labels than there can be ({})", kMostColumns - 1));
  }
  if (options.label_count && *options.label_count != counts->labels) {
    source.fail(line.data(),
                fmt::format("the first line says {} labels, {} says {}", counts->labels,
                            option_text(Option::label_count), *options.label_count));
  }
  return *counts;
}

[[noreturn]] void fail_count(const SourceText& source, const char* at, Index promised,
                             std::string_view found) {
  source.fail(
      at, fmt::format("the first line promises {} examples, but the file has {}", promised, found));
}

class XmcRows final : public RowSource {
 public:
  XmcRows(const SourceText& source, std::string name, const ReadOptions& options)
      : source_(source),
        name_(std::move(name)),
        lines_(source.begin(), source.end()),
        counts_(read_first_line(options)),
        rows_(source, {.first_feature = kFirstFeature,
                       .features = counts_.features,
                       .labels = counts_.labels,
                       .known_from = "of the first line"}) {}

  Dataset next(Index most) override {
    if (most == kAll) rows_.expect_all();
    std::string_view line;
    while (rows_.untaken() < most && lines_.next(line)) {
      source_.reached(line.data());
      read(line);
    }
    const bool ended = rows_.untaken() < most;
    if (ended && rows_.rows() != counts_.examples) {
      fail_count(source_, source_.begin(), counts_.examples, std::to_string(rows_.rows()));
    }
    return rows_.take(name_);
  }

  Index skip(Index most) override {
    Index passed = 0;
    std::string_view line;
    while (passed < most && lines_.next(line)) {
      source_.reached(line.data());
      bool had_comment = false;
      const bool blank = trimmed(without_comment(line, had_comment)).empty();
      if ((had_comment && blank) || rows_.rows() == counts_.examples) {
        read(line);
        continue;
      }
      rows_.skip();
      ++passed;
    }
    if (passed < most && rows_.rows() != counts_.examples) {
      fail_count(source_, source_.begin(), counts_.examples, std::to_string(rows_.rows()));
    }
    return passed;
  }

  std::optional<DataShape> promised() const override {
    return DataShape{.rows = counts_.examples,
                     .features = counts_.features,
                     .labels = counts_.labels,
                     .is_sparse = true};
  }

  const char* position() const noexcept override { return lines_.position(); }

 private:
  XmcCounts read_first_line(const ReadOptions& options) {
    std::string_view line;
    lines_.next(line);
    return read_counts(source_, line, options);
  }

  void read(std::string_view line) {
    bool had_comment = false;
    const auto row = without_comment(line, had_comment);
    const bool blank = trimmed(row).empty();
    if (had_comment && blank) return;
    if (rows_.rows() < counts_.examples) return rows_.read(row);
    if (!blank) fail_count(source_, row.data(), counts_.examples, "more");
  }

  const SourceText& source_;
  std::string name_;
  LineReader lines_;
  XmcCounts counts_;
  SvmRowReader rows_;
};

constexpr std::string_view kEndings[] = {".xmc", ".txt"};

bool starts_with_counts(const SourceText&, std::string_view first) {
  return xmc_counts(first).has_value();
}

std::vector<std::filesystem::path> write_xmc(const Dataset& data, const std::filesystem::path& path,
                                             Progress* progress) {
  check_values(data, false, "XMC");
  AtomicFile file(path);
  file.write(fmt::format("{} {} {}\n", data.rows(), data.features(), data.labels()));
  write_rows(file, data.rows(), progress,
             [&](std::string& text, Index row) { append_svm_row(text, data, row, kFirstFeature); });
  file.commit();
  return {path};
}

}  // namespace

const FormatKind& xmc_format() {
  static const FormatKind kind = {
      .info = {.format = Format::xmc, .name = "xmc", .title = "XMC", .endings = kEndings},
      .matches = starts_with_counts,
      .head_has_shape = true,
      .open = open_svm<XmcRows>,
      .write = write_xmc};
  return kind;
}

}  // namespace mugrad::formats
