// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// The file formats that can be read and written; docs/formats.md describes each.
enum class Format { arff, libsvm, xmc, csv };

std::string_view to_string(Format format);
/// The format called `name`; throws UsageError listing the names there are.
Format format_named(std::string_view name);

/// What to do with a feature value that is missing (`?` in ARFF, an empty cell in CSV). A missing
/// label is unknown.
enum class Missing {
  refuse,  ///< an error that says where
  mean,    ///< the mean of the column's other values
  keep,    ///< NaN, to be filled by fill_missing
};

struct ReadOptions {
  std::optional<Format> format = {};  ///< empty: recognised from the content, then the name
  /// ARFF: names the labels; empty: the XML beside the file, if there is one.
  std::filesystem::path labels_xml = {};
  /// Columns that are labels, by name; a name may end in `*`. ARFF and CSV.
  std::vector<std::string> label_columns = {};
  /// ARFF and CSV: the first n columns are labels, or the last -n. LIBSVM: there are n labels.
  std::optional<Index> label_count = {};
  /// A file without labels is fine: y then has no columns.
  bool labels_optional = false;
  /// Names of the columns that are labels when neither the options nor the file say so.
  std::vector<std::string> fallback_labels = {};
  std::vector<std::string> drop = {};  ///< attributes to leave out, by name or `prefix*`
  bool keep_ids = false;               ///< one-hot encode identifiers instead of leaving them out
  Missing missing = Missing::refuse;
  /// Feature names to encode nominal attributes for (a model's): exactly the `attribute=value`
  /// columns among them are made, and no attribute of theirs is taken for an identifier.
  std::vector<std::string> encode_like = {};
  /// Told what was done that the user may not expect, one sentence at a time.
  std::function<void(const std::string&)> note = {};
  /// Told how much of the file has been read; may be null.
  Progress* progress = nullptr;
};

/// Reads a data set of any format. Throws InputError naming file, line and column.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});

/// Writes a data set; the format is the one given, else the one the file's ending names (.arff,
/// .libsvm or .svm, .xmc or .txt, .csv). ARFF comes with its label XML beside it. Each file
/// appears whole or not at all. Updates `progress` every so many rows. Returns the files written.
std::vector<std::filesystem::path> write_dataset(const Dataset& data,
                                                 const std::filesystem::path& path,
                                                 std::optional<Format> format = std::nullopt,
                                                 Progress* progress = nullptr);

/// The files that write_dataset() makes, replaces or removes: the one named and, for ARFF, the
/// label XML beside it. Throws UsageError as that does.
std::vector<std::filesystem::path> files_of_dataset(const std::filesystem::path& path,
                                                    std::optional<Format> format = std::nullopt);

/// The XML that names the labels of an ARFF file, where one lies beside it: NAME.xml for NAME.arff,
/// else X.xml for X-train.arff and X-test.arff.
std::optional<std::filesystem::path> find_label_file(const std::filesystem::path& data);

/// The format of a file by its content, where that decides, else by its ending.
Format recognise_format(const std::filesystem::path& path);

/// Replaces NaN by the column's entry of `means`. Features that are borrowed are copied first, if
/// any is missing. Requires: one mean per feature.
void fill_missing(Features& features, std::span<const double> means);

}  // namespace mugrad
