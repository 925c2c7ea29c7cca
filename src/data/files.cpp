// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "data/formats/arff/arff.h"
#include "data/formats/arff/label_xml.h"
#include "data/formats/csv/csv.h"
#include "data/formats/open.h"
#include "data/formats/recognition.h"
#include "data/formats/svm/libsvm.h"
#include "data/formats/svm/xmc.h"
#include "data/formats/table/missing.h"

#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>
#include <mugrad/data/files.h>

#include <fmt/format.h>

#include <array>

namespace mugrad {
namespace {

constexpr std::array<Name<Format>, 4> kFormatNames = {{
    {Format::arff, "arff"},
    {Format::libsvm, "libsvm"},
    {Format::xmc, "xmc"},
    {Format::csv, "csv"},
}};

Format format_to_write(const std::filesystem::path& path, std::optional<Format> given) {
  const auto format = given ? given : formats::format_of_ending(path);
  if (format) return *format;
  throw UsageError(
      fmt::format("the ending of {} names no format; expected .arff, .libsvm, .svm, "
                  ".xmc, .txt or .csv",
                  path.string()));
}

}  // namespace

std::string_view to_string(Format format) { return name_of<Format>(kFormatNames, format); }

Format format_named(std::string_view name) { return named<Format>(kFormatNames, name, "format"); }

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  const MappedFile file(path);
  Dataset data = file.while_whole([&] {
    const formats::SourceText source(path.string(), file.bytes(), options.progress);
    return formats::open_rows(source, path, options)->next(formats::RowSource::kAll);
  });
  if (options.missing == Missing::mean) formats::impute_means(data.x, data.feature_names, options);
  return data;
}

std::optional<DataShape> promised_shape(const std::filesystem::path& path,
                                        const ReadOptions& options) {
  const MappedFile file(path);
  return file.while_whole([&]() -> std::optional<DataShape> {
    const formats::SourceText source(path.string(), file.bytes());
    const Format format = options.format ? *options.format : formats::recognise(source, path);
    // Others look at all of their rows before the first is read.
    if (format != Format::xmc) return std::nullopt;
    return formats::open_rows(source, path, options)->promised();
  });
}

std::vector<std::filesystem::path> write_dataset(const Dataset& data,
                                                 const std::filesystem::path& path,
                                                 std::optional<Format> format, Progress* progress) {
  switch (format_to_write(path, format)) {
    case Format::arff:
      return formats::write_arff(data, path, progress);
    case Format::libsvm:
      formats::write_libsvm(data, path, progress);
      break;
    case Format::xmc:
      formats::write_xmc(data, path, progress);
      break;
    case Format::csv:
      formats::write_csv(data, path, progress);
      break;
  }
  return {path};
}

std::vector<std::filesystem::path> files_of_dataset(const std::filesystem::path& path,
                                                    std::optional<Format> format) {
  if (format_to_write(path, format) != Format::arff) return {path};
  return {path, formats::label_file_of(path)};
}

Format recognise_format(const std::filesystem::path& path) {
  const MappedFile file(path);
  return file.while_whole(
      [&] { return formats::recognise(formats::SourceText(path.string(), file.bytes()), path); });
}

}  // namespace mugrad
