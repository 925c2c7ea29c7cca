// SPDX-License-Identifier: MIT
#pragma once

#include "core/input/input_name.h"
#include "core/utf8.h"
#include "data/formats/formats.h"
#include "data/formats/source_text.h"
#include "data/formats/sparse_row.h"

#include <mugrad/data/dataset.h>

#include <cassert>
#include <optional>
#include <string>

namespace mugrad::formats {

/// The known shape of the rows before they are read.
struct SvmShape {
  Index first_feature = 0;        ///< number of the first feature: 1 in LIBSVM, 0 in XMC
  std::optional<Index> features;  ///< their number, if known
  std::optional<Index> labels;
  std::string known_from;  ///< the source of this, for messages
};

/// Reads rows `l1,l2 index:value ...`, which LIBSVM and XMC share.
class SvmRowReader {
 public:
  SvmRowReader(const SourceText& source, const SvmShape& shape);

  /// Reads one line as one example, without its comment. Throws InputError.
  void read(std::string_view line);

  /// Counts a line as an example without reading it.
  void skip() noexcept {
    assert(untaken() == 0);
    ++taken_;
  }

  /// Makes room for all entries of the file.
  void expect_all();

  /// Rows read in total, and since the last take().
  Index rows() const noexcept { return taken_ + features_.rows(); }
  Index untaken() const noexcept { return features_.rows(); }
  /// The rows since the last call, with the known widths, or else with those of the rows so far.
  /// Throws InputError if no row was ever read.
  Dataset take(std::string name);

 private:
  const char* read_labels(const char* at, const char* end);
  const char* read_feature(const char* at, const char* end);
  void end_row();
  [[noreturn]] void fail_token(const char* at, const char* end, std::string_view expected) const;

  const SourceText& source_;
  SvmShape shape_;
  CsrMatrix<double> features_;
  BinaryMatrix labels_;
  SparseRow row_;
  SparseRow row_labels_;
  Index widest_feature_ = 0;  ///< largest index seen + 1
  Index widest_label_ = 0;
  Index taken_ = 0;
};

/// Opens a file whose rows are a RowSource made of the text, the name of the data and the options.
template <class Rows>
std::unique_ptr<RowSource> open_svm(const SourceText& source, const std::filesystem::path& path,
                                    const ReadOptions& options) {
  return std::make_unique<Rows>(source, as_utf8(data_name(path)), options);
}

/// `line` up to its comment; `had_comment` is whether it had one.
std::string_view without_comment(std::string_view line, bool& had_comment) noexcept;

/// Appends a row as SvmRowReader reads it, with the newline. `width_mark`, if any, is a feature
/// written as 0 at the end of the row.
void append_svm_row(std::string& text, const Dataset& data, Index row, Index first_feature,
                    std::optional<Index> width_mark = std::nullopt);

}  // namespace mugrad::formats
