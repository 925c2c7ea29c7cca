// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "core/utf8.h"
#include "data/formats/arff.h"
#include "data/formats/csv.h"
#include "data/formats/libsvm.h"
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

/// LIBSVM and XMC have no names to say anything by.
void refuse_names(Format format, const ReadOptions& options) {
  const auto refuse = [&](bool given, std::string_view option) {
    if (given) {
      throw UsageError(
          fmt::format("{} names columns, and {} files have no names", option, to_string(format)));
    }
  };
  refuse(!options.labels_xml.empty(), "--labels");
  refuse(!options.label_columns.empty(), "--label-columns");
  refuse(!options.drop.empty(), "--drop");
}

Dataset read_format(const formats::SourceText& source, const std::filesystem::path& path,
                    const ReadOptions& options) {
  const auto format = options.format ? *options.format : formats::recognise(source, path);
  if (format == Format::arff) return formats::read_arff(source, path, options);
  if (format == Format::csv) return formats::read_csv(source, path, options);
  refuse_names(format, options);
  return format == Format::xmc ? formats::read_xmc(source, path, options)
                               : formats::read_libsvm(source, path, options);
}

/// Whether any name had to be changed.
bool make_utf8(Dataset& data) {
  bool changed = false;
  const auto convert = [&](std::string& name) {
    if (is_utf8(name)) return;
    name = utf8_from_latin1(name);
    changed = true;
  };
  convert(data.name);
  for (auto& name : data.feature_names) convert(name);
  for (auto& name : data.label_names) convert(name);
  return changed;
}

}  // namespace

std::string_view to_string(Format format) { return name_of<Format>(kFormatNames, format); }

Format format_named(std::string_view name) { return named<Format>(kFormatNames, name, "format"); }

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  const MappedFile file(path);
  const formats::SourceText source(path.string(), file.bytes());
  Dataset data = read_format(source, path, options);
  if (make_utf8(data) && options.note) {
    options.note(
        fmt::format("{} has names that are not UTF-8; they were read as Latin-1", path.string()));
  }
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
