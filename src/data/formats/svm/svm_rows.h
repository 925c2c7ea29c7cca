// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/sparse_row.h"

#include <mugrad/data/dataset.h>

#include <cassert>
#include <optional>
#include <string>

namespace mugrad::formats {

/// What a file says about its rows before they come.
struct SvmShape {
  Index first_feature = 0;        ///< what the first feature is called: 1 in LIBSVM, 0 in XMC
  std::optional<Index> features;  ///< how many there are, if that is known
  std::optional<Index> labels;
  std::string known_from;  ///< who says so, for messages
};

/// Reads rows `l1,l2 index:value ...`, which LIBSVM and XMC share.
class SvmRowReader {
 public:
  SvmRowReader(const SourceText& source, const SvmShape& shape);

  /// Reads one line as one example, without its comment. Throws InputError.
  void read(std::string_view line);

  /// Counts a line as an example without reading it.
  void pass_over() noexcept {
    assert(untaken() == 0);
    ++taken_;
  }

  /// Makes room for all entries of the file.
  void expect_all();

  /// Rows read, all of them and since take() was called.
  Index rows() const noexcept { return taken_ + features_.rows(); }
  Index untaken() const noexcept { return features_.rows(); }
  /// The rows since the last call, as wide as is known, else as the rows so far are. Throws
  /// InputError when no row was ever read.
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
  Index widest_feature_ = 0;  ///< one more than the largest seen
  Index widest_label_ = 0;
  Index taken_ = 0;
};

/// `line` up to its comment; says whether it had one.
std::string_view without_comment(std::string_view line, bool& had_comment) noexcept;

/// Appends a row as SvmRowReader reads it, with the newline. `width_mark`, if any, is a feature
/// written as 0 at the end of the row.
void append_svm_row(std::string& text, const Dataset& data, Index row, Index first_feature,
                    std::optional<Index> width_mark = std::nullopt);

}  // namespace mugrad::formats
