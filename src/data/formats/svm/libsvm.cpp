// SPDX-License-Identifier: MIT
#include "data/formats/number.h"
#include "data/formats/svm/svm_rows.h"
#include "data/formats/table/column_names.h"
#include "data/formats/write_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <utility>

namespace mugrad::formats {
namespace {

constexpr Index kFirstFeature = 1;

/// The last feature, if no row has it: readers could not infer it.
std::optional<Index> unseen_last_feature(const Dataset& data) {
  const Index last = data.features() - 1;
  bool seen = last < 0;
  for (Index row = 0; row < data.rows() && !seen; ++row) {
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (column == last && value != 0) seen = true;
    });
  }
  return seen ? std::nullopt : std::optional(last);
}

SvmShape shape_of(const ReadOptions& options) {
  if (options.label_count && *options.label_count <= 0) {
    throw UsageError(fmt::format("{} must be positive for LIBSVM, got {}",
                                 option_text(Option::label_count), *options.label_count));
  }
  return {.first_feature = kFirstFeature,
          .features = std::nullopt,
          .labels = options.label_count,
          .known_from = fmt::format("of {}", option_text(Option::label_count))};
}

class LibsvmRows final : public RowSource {
 public:
  LibsvmRows(const SourceText& source, std::string name, const ReadOptions& options)
      : source_(source),
        name_(std::move(name)),
        labels_optional_(options.labels_optional),
        rows_(source, shape_of(options)),
        lines_(source.begin(), source.end()) {}

  Dataset next(Index most) override {
    if (most == kAll) rows_.expect_all();
    std::string_view line;
    while (rows_.untaken() < most && lines_.next(line)) {
      source_.reached(line.data());
      if (const auto row = example_in(line)) rows_.read(*row);
    }
    const bool ended = rows_.untaken() < most;
    auto data = rows_.take(name_);
    data.widths_inferred = true;
    if (ended && data.labels() == 0 && !labels_optional_) {
      source_.fail(fmt::format("no example has a label; set the number of labels with {}",
                               option_text(Option::label_count, "N")));
    }
    return data;
  }

  Index skip(Index most) override {
    Index passed = 0;
    std::string_view line;
    while (passed < most && lines_.next(line)) {
      source_.reached(line.data());
      if (!example_in(line)) continue;
      rows_.skip();
      ++passed;
    }
    return passed;
  }

  const char* position() const noexcept override { return lines_.position(); }

 private:
  /// A line without its comment; empty if there is nothing else.
  static std::optional<std::string_view> example_in(std::string_view line) noexcept {
    bool had_comment = false;
    const auto row = without_comment(line, had_comment);
    if (row.empty() || (had_comment && trimmed(row).empty())) return std::nullopt;
    return row;
  }

  const SourceText& source_;
  std::string name_;
  bool labels_optional_;
  SvmRowReader rows_;
  LineReader lines_;
};

constexpr std::string_view kEndings[] = {".libsvm", ".svm"};

/// Lines of labels alone look like CSV; among this many one with a feature should come.
constexpr int kLinesLookedAt = 1000;

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

bool has_svm_rows(const SourceText& source, std::string_view) {
  LineReader lines(source.begin(), source.end());
  std::string_view line;
  for (int i = 0; i < kLinesLookedAt && lines.next(line); ++i) {
    bool had_comment = false;
    const auto kind = svm_line(without_comment(line, had_comment));
    if (kind != SvmLine::labels_only) return kind == SvmLine::features;
  }
  return false;
}

std::vector<std::filesystem::path> write_libsvm(const Dataset& data,
                                                const std::filesystem::path& path,
                                                Progress* progress) {
  check_values(data, false, "LIBSVM");
  AtomicFile file(path);
  auto width_mark = unseen_last_feature(data);
  write_rows(file, data.rows(), progress, [&](std::string& text, Index row) {
    append_svm_row(text, data, row, kFirstFeature, std::exchange(width_mark, std::nullopt));
  });
  file.commit();
  return {path};
}

}  // namespace

const FormatKind& libsvm_format() {
  static const FormatKind kind = {
      .info = {.format = Format::libsvm, .name = "libsvm", .title = "LIBSVM", .endings = kEndings},
      .matches = has_svm_rows,
      .open = open_svm<LibsvmRows>,
      .write = write_libsvm};
  return kind;
}

}  // namespace mugrad::formats
