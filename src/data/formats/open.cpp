// SPDX-License-Identifier: MIT
#include "data/formats/open.h"

#include "data/formats/arff/arff.h"
#include "data/formats/csv/csv.h"
#include "data/formats/recognition.h"
#include "data/formats/svm/libsvm.h"
#include "data/formats/svm/xmc.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

namespace mugrad::formats {
namespace {

/// LIBSVM and XMC have no names to say anything by.
void refuse_names(Format format, const ReadOptions& options) {
  const auto refuse = [&](bool given, Option option) {
    if (given) {
      throw UsageError(fmt::format("{} names columns, and {} files have no names",
                                   option_text(option), to_string(format)));
    }
  };
  refuse(!options.labels_xml.empty(), Option::labels_xml);
  refuse(!options.label_columns.empty(), Option::label_columns);
  refuse(!options.drop.empty(), Option::drop);
}

}  // namespace

std::unique_ptr<RowSource> open_rows(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options) {
  const auto format = options.format ? *options.format : recognise(source, path);
  if (format == Format::arff) return open_arff(source, path, options);
  if (format == Format::csv) return open_csv(source, path, options);
  refuse_names(format, options);
  return format == Format::xmc ? open_xmc(source, path, options)
                               : open_libsvm(source, path, options);
}

}  // namespace mugrad::formats
