// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// The examples of a file, some at a time. One call for all of them reads the file whole; the
/// blocks of many calls, put together, are the same data set.
class RowSource {
 public:
  static constexpr Index kAll = std::numeric_limits<Index>::max();

  virtual ~RowSource() = default;
  /// The next examples, `most` unless the file ends before; without rows after the last. Widths
  /// that are inferred are those of the rows so far. Throws InputError, also when the file has no
  /// examples at all.
  virtual Dataset next(Index most) = 0;
  /// Skips the next examples and returns their number; some formats do not parse them.
  virtual Index skip(Index most) { return next(most).rows(); }
  /// A lower bound on the size of the data, if the file's header states one.
  virtual std::optional<DataShape> promised() const { return std::nullopt; }
  /// Up to where the file has been read.
  virtual const char* position() const noexcept = 0;
};

/// The file itself: the files of a data set in most formats.
inline std::vector<std::filesystem::path> only_itself(const std::filesystem::path& path) {
  return {path};
}

/// The texts of the rows of a file, without line ends.
struct RowTexts {
  std::string_view head = {};  ///< a line before the rows; empty: there is none
  std::string_view between = "\n";
  std::string_view end = "\n";  ///< after the last row
  std::vector<std::string_view> rows = {};
};

/// A file format: what is true of it, and how it is recognised, read and written. Each format
/// defines its own; formats.cpp lists them all.
struct FormatKind {
  FormatInfo info = {};
  /// Whether the content is of this format. `first`, a part of the source, is the first line that
  /// is neither blank nor a comment of ARFF; empty if there is none.
  bool (*matches)(const SourceText& source, std::string_view first) = nullptr;
  /// False: a match may also be another format, so the file's ending decides first.
  bool match_is_certain = true;
  /// The head of a file gives its shape (RowSource::promised), and opening it reads no row.
  bool head_has_shape = false;
  /// Requires: source and options outlive the result. Throws InputError, as its calls do.
  std::unique_ptr<RowSource> (*open)(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options) = nullptr;
  /// Whether rows of a model can be read while they come, by the first line, which is the head;
  /// null: never. Requires: the options have a model whose columns need no rows (needs_no_rows).
  bool (*reads_live)(const SourceText& head, const ReadOptions& options) = nullptr;
  /// Finds the rows, for formats with row_copies, whose rows are texts of their own; else null.
  /// Requires: the source outlives the result. Throws InputError.
  RowTexts (*row_texts)(const SourceText& source, const std::filesystem::path& path,
                        const ReadOptions& options) = nullptr;
  /// Returns the files written, each of which appears whole or not at all.
  std::vector<std::filesystem::path> (*write)(const Dataset& data,
                                              const std::filesystem::path& path,
                                              Progress* progress) = nullptr;
  /// The files that `write` makes, replaces or removes, the one named first.
  std::vector<std::filesystem::path> (*files)(const std::filesystem::path& path) = only_itself;
};

/// All formats, in the order of Format.
std::span<const FormatKind* const> format_kinds();
const FormatKind& kind_of(Format format);

/// The format by content, or by ending if the content does not decide. Throws InputError if neither
/// does.
const FormatKind& recognise(const SourceText& source, const std::filesystem::path& path);

/// The format that a file's ending names; null for another ending.
const FormatKind* format_of_ending(const std::filesystem::path& path);

/// Every ending that names a format, for messages: ".arff, .libsvm or .csv".
std::string known_endings(std::string_view last);

/// The format that is given, else the one recognised.
const FormatKind& format_to_read(const SourceText& source, const std::filesystem::path& path,
                                 const ReadOptions& options);

/// Whether a pipe that begins like this can be read as it comes: the options ask for it, and all
/// else about the rows is known from the model and the head, which is the first line or more.
bool can_be_live(const std::string& name, std::string_view head, const std::filesystem::path& path,
                 const ReadOptions& options);

/// The rows of a file of any format. Requires: source and options outlive the result.
std::unique_ptr<RowSource> open_rows(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options);

// The formats, each in its own file.

/// Dense rows `1,2,?`, sparse rows `{index value, ...}`, or both.
const FormatKind& arff_format();
/// FormatKind::write of ARFF: features first, then the labels, whose names go into the XML beside.
std::vector<std::filesystem::path> write_arff(const Dataset& data,
                                              const std::filesystem::path& path,
                                              Progress* progress);
/// A line of column names, then a line per example; cells are separated by one of kDelimiters.
const FormatKind& csv_format();
/// FormatKind::write of CSV: the features' columns, then the labels'.
std::vector<std::filesystem::path> write_csv(const Dataset& data, const std::filesystem::path& path,
                                             Progress* progress);
/// A JSON object per line, or an array of objects; nested objects are columns with dotted names.
const FormatKind& jsonl_format();
/// FormatKind::write of JSON lines: the features' values by name, then the labels'.
std::vector<std::filesystem::path> write_jsonl(const Dataset& data,
                                               const std::filesystem::path& path,
                                               Progress* progress);
/// Rows `l1,l2 index:value ...` with features counted from 1.
const FormatKind& libsvm_format();
/// A first line `examples features labels`, then rows as in LIBSVM but with features counted from
/// 0.
const FormatKind& xmc_format();

}  // namespace mugrad::formats
