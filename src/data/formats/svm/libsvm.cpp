// SPDX-License-Identifier: MIT
#include "data/formats/svm/libsvm.h"

#include "core/paced_progress.h"
#include "core/utf8.h"
#include "data/formats/svm/svm_rows.h"
#include "data/formats/table/column_names.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <utility>

namespace mugrad::formats {
namespace {

constexpr Index kFirstFeature = 1;

/// The last feature if no row has it: a reader could not know of it.
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
      source_.fail(fmt::format("no example has a label; {} says how many labels there are",
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
      rows_.pass_over();
      ++passed;
    }
    return passed;
  }

  const char* position() const noexcept override { return lines_.position(); }

 private:
  /// A line without its comment, unless there is nothing else.
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

}  // namespace

std::unique_ptr<RowSource> open_libsvm(const SourceText& source, const std::filesystem::path& path,
                                       const ReadOptions& options) {
  return std::make_unique<LibsvmRows>(source, as_utf8(path.stem().string()), options);
}

void write_libsvm(const Dataset& data, const std::filesystem::path& path, Progress* progress) {
  check_values(data, false, "LIBSVM");
  PacedProgress paced(progress, kBytesBetweenUpdates);
  AtomicFile file(path);
  std::string text;
  auto width_mark = unseen_last_feature(data);
  for (Index row = 0; row < data.rows(); ++row) {
    text.clear();
    append_svm_row(text, data, row, kFirstFeature, std::exchange(width_mark, std::nullopt));
    file.write(text);
    paced.add(std::ssize(text), share_of(row + 1, data.rows()));
  }
  file.commit();
}

}  // namespace mugrad::formats
