// SPDX-License-Identifier: MIT
#include "core/input/input_file.h"
#include "core/input/input_name.h"
#include "core/names.h"
#include "core/printable.h"
#include "data/formats/formats.h"
#include "data/formats/table/encoding.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/data/files.h>

#include <fmt/format.h>

#include <cassert>
#include <vector>

namespace mugrad {

std::span<const FormatInfo> file_formats() {
  static const auto all = [] {
    std::vector<FormatInfo> found;
    for (const auto* const kind : formats::format_kinds()) found.push_back(kind->info);
    return found;
  }();
  return all;
}

const FormatInfo& info_of(Format format) { return formats::kind_of(format).info; }

std::string_view to_string(Format format) { return info_of(format).name; }

Format format_named(std::string_view name) {
  std::vector<Name<Format>> names;
  for (const FormatInfo& info : file_formats()) names.push_back({info.format, info.name});
  return named<Format>(names, name, "format");
}

namespace {

constexpr Name<Missing> kMissing[] = {{Missing::median, "median"},
                                      {Missing::mean, "mean"},
                                      {Missing::keep, "keep"},
                                      {Missing::refuse, "refuse"}};

}  // namespace

std::string_view to_string(Missing missing) { return name_of<Missing>(kMissing, missing); }

Missing missing_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& entry : kMissing) {
    if (entry.name == name) return entry.value;
    known.push_back(entry.name);
  }
  throw UsageError(fmt::format("{} must be {}, got '{}'", option_text(Option::missing),
                               in_words(known, "or"), name));
}

Format format_to_write(const std::filesystem::path& path, std::optional<Format> given) {
  if (given) return *given;
  if (const auto* const kind = formats::format_of_ending(path)) return kind->info.format;
  throw UsageError(fmt::format("the ending of {} names no format; expected {}", path.string(),
                               formats::known_endings("or")));
}

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  InputFile input(path, options.progress);
  Dataset data = input.file().while_whole([&] {
    const formats::SourceText source(input.name(), input.file().bytes(), input.progress());
    return formats::open_rows(source, path, options)->next(formats::RowSource::kAll);
  });
  if (options.missing == Missing::mean) formats::impute_means(data.x, data.feature_names, options);
  return data;
}

std::optional<DataShape> promised_shape(const std::filesystem::path& path,
                                        const ReadOptions& options) {
  const InputFile input(path, options.progress);
  return input.file().while_whole([&]() -> std::optional<DataShape> {
    const formats::SourceText source(input.name(), input.file().bytes());
    if (!formats::format_to_read(source, path, options).head_has_shape) return std::nullopt;
    return formats::open_rows(source, path, options)->promised();
  });
}

std::vector<std::filesystem::path> write_dataset(const Dataset& data,
                                                 const std::filesystem::path& path,
                                                 std::optional<Format> format, Progress* progress) {
  return formats::kind_of(format_to_write(path, format)).write(data, path, progress);
}

std::vector<std::filesystem::path> files_of_dataset(const std::filesystem::path& path,
                                                    std::optional<Format> format) {
  return formats::kind_of(format_to_write(path, format)).files(path);
}

Format recognise_format(const std::filesystem::path& path) {
  const InputFile input(path);
  return input.file().while_whole([&] {
    const formats::SourceText source(input.name(), input.file().bytes());
    return formats::recognise(source, path).info.format;
  });
}

struct BlockReader::State {
  /// A pipe that is read as it comes cannot be truncated.
  template <class Read>
  auto while_whole(Read&& read) {
    return input.live() == nullptr ? input.file().while_whole(read) : read();
  }

  State(const std::filesystem::path& from, ReadOptions how, Index most)
      : path(from),
        options(std::move(how)),
        block_rows(most),
        input(path, options.progress,
              [this](std::string_view head) {
                return formats::can_be_live(input_name(path), head, path, options);
              }),
        source(while_whole([&] {
          LiveText* const live = input.live();
          return live == nullptr ? formats::SourceText(input.name(), input.file(), input.progress())
                                 : formats::SourceText(input.name(), *live, input.progress());
        })),
        rows(while_whole([&] { return formats::open_rows(source, path, options); })) {}

  std::filesystem::path path;
  ReadOptions options;
  Index block_rows;
  InputFile input;
  formats::SourceText source;
  std::unique_ptr<formats::RowSource> rows;
};

BlockReader::BlockReader(const std::filesystem::path& path, ReadOptions options, Index block_rows) {
  assert(block_rows > 0);
  if (options.missing == Missing::mean) {
    throw UsageError("the means of all rows cannot be known while they are read in blocks");
  }
  // Neither can medians; those of a model are in its encoding.
  if (options.missing == Missing::median && options.encode_like.empty()) {
    options.missing = Missing::refuse;
  }
  state_ = std::make_unique<State>(path, std::move(options), block_rows);
}
BlockReader::~BlockReader() = default;
BlockReader::BlockReader(BlockReader&&) noexcept = default;
BlockReader& BlockReader::operator=(BlockReader&&) noexcept = default;

bool BlockReader::next(Dataset& block) {
  Dataset read = state_->while_whole([&] { return state_->rows->next(state_->block_rows); });
  state_->source.release_before(state_->rows->position());
  if (read.rows() == 0) return false;
  block = std::move(read);
  return true;
}

bool BlockReader::skip() {
  const bool any = state_->while_whole([&] { return state_->rows->skip(state_->block_rows) > 0; });
  state_->source.release_before(state_->rows->position());
  return any;
}

double BlockReader::share_read() const noexcept {
  const auto& source = state_->source;
  if (source.is_live()) return 0;  // how much will come is not known
  return static_cast<double>(state_->rows->position() - source.begin()) /
         static_cast<double>(source.end() - source.begin());
}

}  // namespace mugrad
