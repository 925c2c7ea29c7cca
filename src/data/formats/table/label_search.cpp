// SPDX-License-Identifier: MIT
#include "data/formats/table/label_search.h"

#include "core/input/input_name.h"
#include "data/formats/arff/arff_text.h"
#include "data/formats/arff/label_xml.h"
#include "data/formats/name_search.h"
#include "data/formats/source_text.h"
#include "data/formats/table/column_types.h"
#include "data/formats/table/tags.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {
namespace {

/// Finds attributes by name.
class Marker {
 public:
  Marker(const TableHeader& header, const std::filesystem::path& path)
      : names_(names_of(header.attributes)), path_(path), marked_(names_.size(), false) {
    for (std::size_t i = 0; i < names_.size(); ++i) position_.emplace(names_[i], i);
  }

  /// Marks the attribute with that name, or those that match `prefix*`.
  void mark(std::string_view pattern, Option option) {
    if (mark_exact(pattern)) return;
    if (!pattern.ends_with('*')) {
      throw InputError(fmt::format("{} names {}, which no attribute of {} has{}",
                                   option_text(option), shown(pattern), input_name(path_),
                                   hint(pattern)));
    }
    const auto prefix = pattern.substr(0, pattern.size() - 1);
    bool found = false;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i].starts_with(prefix)) marked_[i] = found = true;
    }
    if (!found) {
      throw InputError(fmt::format("{} names {}, and no attribute of {} starts with {}",
                                   option_text(option), shown(pattern), input_name(path_),
                                   shown(prefix)));
    }
  }

  /// Marks the attribute named in a label file; either file may use escapes.
  bool mark_label(const std::string& name) {
    if (mark_exact(name) || mark_exact(unescaped(name))) return true;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i].find('\\') != std::string::npos && unescaped(names_[i]) == name) {
        return marked_[i] = true;
      }
    }
    return false;
  }

  std::string hint(std::string_view unknown) const { return did_you_mean(unknown, names_); }
  std::vector<bool> take() && { return std::move(marked_); }

 private:
  bool mark_exact(std::string_view name) {
    const auto found = position_.find(name);
    if (found == position_.end()) return false;
    return marked_[found->second] = true;
  }

  std::vector<std::string> names_;
  const std::filesystem::path& path_;
  TextMap<std::size_t> position_;
  std::vector<bool> marked_;
};

std::vector<bool> labels_in_xml(const TableHeader& header, const std::filesystem::path& path,
                                const std::filesystem::path& xml, const ReadOptions& options) {
  Marker marker(header, path);
  const auto names = read_label_xml(xml);
  std::vector<std::string> unknown;
  for (const auto& name : names) {
    if (!marker.mark_label(name)) unknown.push_back(name);
  }
  // A file to predict may lack the label columns although its label file exists.
  const bool implied = options.labels_xml.empty();
  if (unknown.size() == names.size() && options.labels_optional && implied) {
    options.tell(
        fmt::format("{} has none of the labels that {} names", input_name(path), input_name(xml)));
  } else if (!unknown.empty()) {
    throw InputError(fmt::format("{} names the label {}, which no attribute of {} has{}",
                                 input_name(xml), shown(unknown.front()), input_name(path),
                                 marker.hint(unknown.front())));
  }
  return std::move(marker).take();
}

/// The first n attributes, or the last -n.
std::vector<bool> labels_by_count(const TableHeader& header, const std::filesystem::path& path,
                                  Index count, const std::string& option) {
  const auto attributes = std::ssize(header.attributes);
  if (count == 0) throw UsageError(fmt::format("{} must not be 0", option));
  if (count > attributes || count < -attributes) {
    throw InputError(fmt::format("{} {} asks for more labels than the {} attributes of {}", option,
                                 count, attributes, input_name(path)));
  }
  std::vector<bool> labels(header.attributes.size(), false);
  if (count > 0) {
    std::fill_n(labels.begin(), count, true);
  } else {
    std::fill_n(labels.rbegin(), -count, true);
  }
  return labels;
}

void check_one_source(const ReadOptions& options) {
  const int given = (options.label_columns.empty() ? 0 : 1) + (options.label_count ? 1 : 0) +
                    (options.labels_xml.empty() ? 0 : 1) + (options.tags.empty() ? 0 : 1);
  if (given > 1) {
    throw UsageError(fmt::format("{}, {}, {} and {} each select the labels; give one",
                                 option_text(Option::labels_xml),
                                 option_text(Option::label_columns),
                                 option_text(Option::label_count), option_text(Option::tags)));
  }
}

void check_tag_options(const ReadOptions& options) {
  const auto& separator = options.tag_separator;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (separator && (separator->size() > 1 || !std::ranges::all_of(*separator, is_ascii))) {
    throw UsageError(fmt::format(
        "tags are separated by one ASCII character, or nothing if they are JSON arrays, got {}",
        shown(*separator)));
  }
  if (options.min_count < 1) {
    throw UsageError(fmt::format(
        "the least number of rows that a tag must be in is at least 1, got {}", options.min_count));
  }
}

/// What to do if the label columns are not known.
std::string say_labels(Format format) {
  return fmt::format(
      "select them with {}{}, {} (the first N, or the last -N) or {} (a column of lists)",
      info_of(format).has_label_file ? option_text(Option::labels_xml, "FILE.xml") + ", " : "",
      option_text(Option::label_columns, "NAMES"), option_text(Option::label_count, "N"),
      option_text(Option::tags, "NAME"));
}

/// NAME.xml for NAME.arff or NAME.arff.gz, then X.xml if NAME is X-train or X-test; none for
/// standard input.
std::vector<std::filesystem::path> label_files_for(const std::filesystem::path& data) {
  if (is_standard_input(data)) return {};
  const std::string stem = without_compression(data).stem().string();
  std::vector<std::string> names = {stem};
  for (const std::string_view part : {"train", "test"}) {
    if (stem.size() < part.size() + 2) continue;
    const auto cut = stem.size() - part.size();
    const bool is_separated = std::string_view("-_.").find(stem[cut - 1]) != std::string_view::npos;
    if (is_separated && same_word(std::string_view(stem).substr(cut), part)) {
      names.push_back(stem.substr(0, cut - 1));
    }
  }
  std::vector<std::filesystem::path> files;
  files.reserve(names.size());
  for (const auto& name : names) files.push_back(data.parent_path() / (name + ".xml"));
  return files;
}

[[noreturn]] void fail_without_labels(const TableHeader& header, const std::filesystem::path& path,
                                      Format format) {
  if (!info_of(format).has_label_file) {
    throw InputError(fmt::format("{}: the label columns are not known; {}", input_name(path),
                                 say_labels(format)));
  }
  std::string files;
  for (const auto& file : label_files_for(path)) {
    files += fmt::format("{}{}", files.empty() ? "" : " or ", file.string());
  }
  if (files.empty()) files = "label file beside it";
  if (header.label_count) {
    throw InputError(fmt::format(
        "{}: the label attributes are not certain: the relation's name has -C {}, but also "
        "weka.filters, which may have moved them since, and there is no {}; {}",
        input_name(path), *header.label_count, files, say_labels(format)));
  }
  throw InputError(
      fmt::format("{}: the label attributes are not known: there is no {}, and no -C in the "
                  "relation name; {}",
                  input_name(path), files, say_labels(format)));
}

/// Throws for a file that should have the labels of a model in this column.
[[noreturn]] void fail_without_tags(const TableHeader& header, const std::filesystem::path& path,
                                    const std::string& tags) {
  throw InputError(
      fmt::format("{} lacks the column {}, which lists the labels of each row for the model{}",
                  input_name(path), shown(tags), Marker(header, path).hint(tags)));
}

/// Notes a count declared by the file that is not used, if it means other attributes.
void tell_of_other_count(const TableHeader& header, const std::filesystem::path& path,
                         const std::filesystem::path& xml, const std::vector<bool>& labels,
                         const ReadOptions& options) {
  if (!header.label_count || std::ranges::find(labels, true) == labels.end()) return;
  const auto count = *header.label_count;
  const auto attributes = std::ssize(labels);
  const bool is_possible = count != 0 && count <= attributes && count >= -attributes;
  if (is_possible && labels_by_count(header, path, count, "-C") == labels) return;
  options.tell(
      fmt::format("{}: -C {} in the relation's name means other labels than {}, and is "
                  "not used",
                  input_name(path), count, input_name(xml)));
}

}  // namespace

const EncodedColumn* tags_of(const TableEncoding& encoding) {
  const auto found = std::ranges::find(encoding.columns, ColumnRole::tags, &EncodedColumn::role);
  return found == encoding.columns.end() ? nullptr : &*found;
}

LabelColumns find_labels(const TableHeader& header, const std::filesystem::path& path,
                         Format format, const ReadOptions& options) {
  check_one_source(options);
  if (!options.label_columns.empty()) {
    Marker marker(header, path);
    for (const auto& name : options.label_columns) marker.mark(name, Option::label_columns);
    return {std::move(marker).take(), option_text(Option::label_columns)};
  }
  if (!options.tags.empty()) {
    Marker marker(header, path);
    marker.mark(options.tags, Option::tags);
    return {std::move(marker).take(), option_text(Option::tags, options.tags)};
  }
  if (options.label_count) {
    return {labels_by_count(header, path, *options.label_count, option_text(Option::label_count)),
            option_text(Option::label_count, std::to_string(*options.label_count))};
  }
  if (!options.labels_xml.empty()) {
    return {labels_in_xml(header, path, options.labels_xml, options),
            input_name(options.labels_xml)};
  }
  if (const auto beside = info_of(format).has_label_file ? find_label_file(path) : std::nullopt) {
    auto labels = labels_in_xml(header, path, *beside, options);
    tell_of_other_count(header, path, *beside, labels, options);
    return {std::move(labels), beside->filename().string()};
  }
  if (header.label_count && !header.was_filtered) {
    return {labels_by_count(header, path, *header.label_count, "-C"),
            fmt::format("-C {} in the relation's name", *header.label_count)};
  }
  if (const auto* const tags = tags_of(options.encoding)) {
    Marker marker(header, path);
    if (marker.mark_label(tags->name)) return {std::move(marker).take(), "the model"};
  }
  if (!options.fallback_labels.empty()) {
    Marker marker(header, path);
    bool has_any = false;
    for (const auto& name : options.fallback_labels) has_any |= marker.mark_label(name);
    const bool needs_tags = tags_of(options.encoding) != nullptr && !options.labels_optional;
    if (has_any || !needs_tags) return {std::move(marker).take(), "the model"};
  }
  if (!options.labels_optional) {
    const auto* const tags = tags_of(options.encoding);
    if (tags != nullptr) fail_without_tags(header, path, tags->name);
    fail_without_labels(header, path, format);
  }
  return {std::vector<bool>(header.attributes.size(), false), ""};
}

std::vector<bool> find_named(const TableHeader& header, const std::filesystem::path& path,
                             const std::vector<std::string>& names, Option option) {
  Marker marker(header, path);
  for (const auto& name : names) marker.mark(name, option);
  return std::move(marker).take();
}

namespace {

/// Whether these are the columns `row,labels` or `row,NAME,labels` of `mugrad predict`, and the
/// last is read as tags. Its labels may look like anything, so that no cell tells what separates
/// them.
bool has_columns_of_predictions(const TableHeader& header, Format format,
                                const ReadOptions& options) {
  const auto& attributes = header.attributes;
  const bool is_separator = !options.tag_separator || *options.tag_separator == kPredictedSeparator;
  return info_of(format).has_delimiter && is_separator &&
         (attributes.size() == 2 || attributes.size() == 3) && attributes.front().name == "row" &&
         attributes.back().name == "labels" && attributes.back().type == AttributeType::tags;
}

}  // namespace

TableColumns find_columns(TableHeader header, const std::filesystem::path& path, Format format,
                          const ReadOptions& options) {
  check_tag_options(options);
  TableColumns columns{.header = std::move(header)};
  columns.labels = find_labels(columns.header, path, format, options);
  columns.dropped = find_named(columns.header, path, options.drop, Option::drop);
  const auto* const tags = tags_of(options.encoding);
  const std::string& name = tags == nullptr || !options.tags.empty() ? options.tags : tags->name;
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    if (!columns.labels.is_label[i]) continue;
    auto& attribute = columns.header.attributes[i];
    if (!name.empty() && attribute.name == name) {
      attribute.type = AttributeType::tags;
      // Predicting needs no labels, however they are written.
      if (options.labels_optional && !options.encode_like.empty()) columns.dropped[i] = true;
    } else if (attribute.type == AttributeType::open) {
      attribute.type = AttributeType::numeric;
    }
  }
  columns.are_predictions = has_columns_of_predictions(columns.header, format, options);
  if (columns.are_predictions) {
    columns.separator = std::string(kPredictedSeparator);
    if (!options.tag_separator) {
      options.tell(fmt::format("{} has the columns of predictions: its tags are between '{}'",
                               input_name(path), kPredictedSeparator));
    }
    columns.header.attributes.back().is_lenient = false;  // a label may be called NA
  }
  apply_chosen_types(columns, path, options);
  leave_out_unsupported(columns, options);
  return columns;
}

}  // namespace mugrad::formats

namespace mugrad {

std::optional<std::filesystem::path> find_label_file(const std::filesystem::path& data) {
  for (const auto& file : formats::label_files_for(data)) {
    std::error_code ignored;
    if (file != data && std::filesystem::is_regular_file(file, ignored)) return file;
  }
  return std::nullopt;
}

}  // namespace mugrad
