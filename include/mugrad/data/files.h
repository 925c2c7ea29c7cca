// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/table_encoding.h>
#include <mugrad/parallel/thread_pool.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mugrad {

/// The file formats that can be read and written; docs/formats.md describes each.
enum class Format { arff, libsvm, xmc, csv, jsonl };

/// Whether the parts of a split have rows of the whole as they are, or rows of features.
enum class RowCopies {
  never,
  /// If more than numbers and plain categories are in them. Version 0.1 wrote features.
  where_features_lose,
  always,
};

/// Properties of a format.
struct FormatInfo {
  Format format = Format::arff;
  std::string_view name = {};   ///< in options: "libsvm"
  std::string_view title = {};  ///< in prose: "LIBSVM"
  /// File name endings in lower case; files that the program names get the first one.
  std::span<const std::string_view> endings = {};
  bool has_names = false;  ///< columns have names, so options may name labels and columns to drop
  bool has_label_file = false;  ///< an XML file beside the data may declare the labels
  bool declares_labels = true;  ///< files as written say which columns are labels
  bool has_delimiter = false;   ///< cells are separated by one of kDelimiters
  RowCopies row_copies = RowCopies::never;
};

/// All formats, in the order of Format.
std::span<const FormatInfo> file_formats();
const FormatInfo& info_of(Format format);

std::string_view to_string(Format format);
/// The format called `name`; throws UsageError listing the valid names.
Format format_named(std::string_view name);

/// What may separate the cells of a CSV file: comma, semicolon, tab, vertical bar.
inline constexpr std::string_view kDelimiters = ",;\t|";
/// The delimiter that a text names: itself, or `tab` or `\t` in two characters. Throws UsageError
/// listing the valid names.
char delimiter_named(std::string_view text);

/// What to do with missing feature values (`?` in ARFF; in other tables an empty cell, ?, -, NA,
/// N/A, NaN, NULL or None, and in JSON lines also null or an absent key). A missing label is
/// unknown.
enum class Missing {
  refuse,  ///< throw an error with the position
  mean,    ///< use the mean of the column's other values
  keep,    ///< use NaN, which fill_missing replaces later
  /// Use the median of the column's other values, and mark where many are missing; a missing
  /// category is a category of its own. With `encode_like`: keep, unless the encoding says more.
  median,
};

std::string_view to_string(Missing missing);
/// Throws UsageError listing the valid names.
Missing missing_named(std::string_view name);

/// Columns that the caller knows to have a role.
struct RoleOfColumns {
  std::string columns = {};  ///< a name, or `prefix*`
  ColumnRole role = ColumnRole::number;
};

struct ReadOptions {
  std::optional<Format> format = {};  ///< empty: recognised from the content, then the name
  /// ARFF: the XML file with the label names; empty: the one beside the data file, if any.
  std::filesystem::path labels_xml = {};
  /// Formats with names: names of the label columns; a name may end in `*`.
  std::vector<std::string> label_columns = {};
  /// Formats with names: the first n columns are labels, or the last -n. LIBSVM: the number of
  /// labels.
  std::optional<Index> label_count = {};
  /// Accepts files without labels; y then has no columns.
  bool labels_optional = false;
  /// Names of the label columns if neither the options nor the file declare them.
  std::vector<std::string> fallback_labels = {};
  std::vector<std::string> drop = {};  ///< attributes to ignore, by name or `prefix*`
  bool keep_ids = false;               ///< one-hot encode identifiers instead of ignoring them
  /// The column that lists the labels of each row, instead of a column per label.
  std::string tags = {};
  /// Between two tags: one character, or empty for JSON arrays. Default: recognised.
  std::optional<std::string> tag_separator = {};
  /// Tags that a model knows: what separates tags is recognised by them. Others are labels, too.
  std::vector<std::string> known_tags = {};
  Index min_count = 1;  ///< leaves out tags in fewer rows
  /// Roles of columns, where those guessed from the cells are wrong.
  std::vector<RoleOfColumns> roles = {};
  TextOptions text = {};  ///< how texts become terms
  Missing missing = Missing::median;
  /// CSV: one of kDelimiters; empty: recognised from the first records.
  std::optional<char> delimiter = {};
  /// Feature names, of a model, that determine the encoding of nominal attributes: exactly the
  /// `attribute=value` columns among them are created, and none of their attributes counts as an
  /// identifier.
  std::vector<std::string> encode_like = {};
  /// Of the same model, if it has one. Features then need no names: they are those of the model.
  TableEncoding encoding = {};
  /// Of the same model: terms of its texts that the rows have and the model lacks become features
  /// too, by its TextOptions. The data set then has the names and the encoding of all.
  bool learn_terms = false;
  bool keep_row_names = false;  ///< fill in Dataset::row_names
  /// BlockReader: reads rows of CSV and JSON lines from a pipe as they come, without a temporary
  /// file, if the options have a model and no labels are needed. A block ends where the next row
  /// has not come yet.
  bool as_they_come = false;
  Threads threads = {};  ///< for texts; never changes the data
  /// Receives one sentence about each thing done that the user may not expect.
  std::function<void(const std::string&)> note = {};
  /// Receives the roles of the columns of CSV and JSON lines before rows are read.
  std::function<void(const TableSummary&)> summary = {};
  /// Receives the share of the work of reading that is done; may be null. Decompressing a file is
  /// the first half.
  Progress* progress = nullptr;

  void tell(const std::string& sentence) const {
    if (note) note(sentence);
  }
};

// Readers of data accept files, pipes and, as "-", standard input, each of which may be compressed
// by gzip or zstd. What cannot be mapped is first copied to a temporary file: docs/formats.md.

/// Reads a data set of any format. Throws InputError naming file, line and column.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});

/// A cell of a table in memory: nothing if its value is missing, a number, a text, or a list of
/// texts, such as the tags of a row. Texts are UTF-8 and mean what they mean in files: "NA" is
/// missing, and "2026-11-18" a date.
using TableCell =
    std::variant<std::monostate, double, std::string_view, std::span<const std::string_view>>;

/// A column of a table in memory; borrows its values.
struct TableColumn {
  std::string name = {};
  /// One per row: cells, or numbers, where NaN is a missing value.
  std::variant<std::span<const TableCell>, std::span<const double>> values = {};
};

/// Makes a data set of a table in memory, exactly as of the same table in a file of JSON lines: a
/// number becomes its shortest text where a column is no column of numbers, and a list its JSON.
/// `name` is that of the data set. Throws InputError naming the row, counted from 1, and the
/// column.
Dataset read_table(std::span<const TableColumn> columns, const ReadOptions& options = {},
                   const std::string& name = "the table");

/// The format in which a file is written: the given one, or else that of the file name's extension.
/// Throws UsageError for an extension that names none.
Format format_to_write(const std::filesystem::path& path,
                       std::optional<Format> given = std::nullopt);

/// A lower bound on the size of the data in a file, if its header states one (XMC); reads no rows.
/// A pipe or standard input has no bytes left afterwards. Throws InputError for an invalid header.
std::optional<DataShape> promised_shape(const std::filesystem::path& path,
                                        const ReadOptions& options);

/// Writes a data set in the format of format_to_write. ARFF comes with its label XML beside it.
/// Each file appears completely or not at all. Updates `progress` every few rows. Returns the files
/// written.
std::vector<std::filesystem::path> write_dataset(const Dataset& data,
                                                 const std::filesystem::path& path,
                                                 std::optional<Format> format = std::nullopt,
                                                 Progress* progress = nullptr);

/// Copies rows of a file as they are, byte by byte, so that nothing of a table is lost.
class RowCopier {
 public:
  /// Finds the rows. Throws InputError as read_dataset does. Requires: `data` was read from this
  /// file, and the row_copies of its format are not `never`.
  RowCopier(const std::filesystem::path& path, const ReadOptions& options, const Dataset& data);
  ~RowCopier();
  RowCopier(RowCopier&&) noexcept;
  RowCopier& operator=(RowCopier&&) noexcept;

  /// Writes a file with these rows, which are ascending; it appears completely or not at all.
  void copy(std::span<const Index> rows, const std::filesystem::path& to);

 private:
  struct State;
  std::unique_ptr<State> state_;
};
/// Whether the parts of a split of `data`, of this format, should have copies of its rows.
bool copies_rows(const Dataset& data, Format format);

/// The files that write_dataset() creates, replaces or removes: the given file and, for ARFF, the
/// label XML beside it. Throws UsageError as write_dataset() does.
std::vector<std::filesystem::path> files_of_dataset(const std::filesystem::path& path,
                                                    std::optional<Format> format = std::nullopt);

/// The XML with the label names of an ARFF file, if it is beside the file: NAME.xml for NAME.arff,
/// or else X.xml for X-train.arff and X-test.arff.
std::optional<std::filesystem::path> find_label_file(const std::filesystem::path& data);

/// The format of a file by its content, or by its extension if the content does not decide. A pipe
/// or standard input has no bytes left afterwards.
Format recognise_format(const std::filesystem::path& path);

/// Whether a value is NaN.
bool has_missing(const Features& features);

/// Replaces each NaN by the mean of its column. Borrowed features are copied first if any value is
/// missing. Requires: one mean per feature.
void fill_missing(Features& features, std::span<const double> means);

/// Reads a data set of any format one block of rows at a time. Memory does not grow with the number
/// of rows. Exception: without encode_like, all distinct values of nominals are kept.
///
/// Files with nominals are read twice, because the encoding of a nominal depends on the values that
/// occur. In CSV the values also decide which columns are nominal, and in JSON lines which columns
/// there are.
class BlockReader {
 public:
  static constexpr Index kRows = 2048;

  /// Throws InputError as read_dataset does, and UsageError for Missing::mean, which needs all
  /// rows. Requires: block_rows > 0.
  explicit BlockReader(const std::filesystem::path& path, ReadOptions options = {},
                       Index block_rows = kRows);
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;
  BlockReader& operator=(BlockReader&&) noexcept;

  /// Reads the next rows into `block`; returns false if there are none; rows that are read as they
  /// come may be fewer than the block's. All blocks together equal
  /// the result of read_dataset, except that inferred widths are those of the rows so far. Throws
  /// InputError naming file, line and column.
  bool next(Dataset& block);

  /// Skips the next block of rows; returns false if there are none. Formats with one example per
  /// line do not parse the lines.
  bool skip();

  /// The share of the file that has been read, in [0, 1].
  double share_read() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mugrad
