// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "data/formats/arff.h"
#include "data/formats/csv.h"
#include "data/formats/libsvm.h"
#include "data/formats/missing.h"
#include "data/formats/open.h"
#include "data/formats/recognition.h"
#include "data/formats/xmc.h"

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

}  // namespace

std::string_view to_string(Format format) { return name_of<Format>(kFormatNames, format); }

Format format_named(std::string_view name) { return named<Format>(kFormatNames, name, "format"); }

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  const MappedFile file(path);
  const formats::SourceText source(path.string(), file.bytes());
  Dataset data = formats::open_rows(source, path, options)->next(formats::RowSource::kAll);
  if (options.missing == Missing::mean) formats::impute_means(data.x, data.feature_names, options);
  formats::make_names_utf8(data, path, options);
  return data;
}

std::vector<std::filesystem::path> write_dataset(const Dataset& data,
                                                 const std::filesystem::path& path,
                                                 std::optional<Format> format) {
  if (!format) format = formats::format_of_ending(path);
  if (!format) {
    throw UsageError(
        fmt::format("the ending of {} names no format; expected .arff, .libsvm, .svm, "
                    ".xmc, .txt or .csv",
                    path.string()));
  }
  switch (*format) {
    case Format::arff:
      return formats::write_arff(data, path);
    case Format::libsvm:
      formats::write_libsvm(data, path);
      break;
    case Format::xmc:
      formats::write_xmc(data, path);
      break;
    case Format::csv:
      formats::write_csv(data, path);
      break;
  }
  return {path};
}

Format recognise_format(const std::filesystem::path& path) {
  const MappedFile file(path);
  return formats::recognise(formats::SourceText(path.string(), file.bytes()), path);
}

}  // namespace mugrad
