// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "core/staged_files.h"
#include "tables.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/data/catalog.h>
#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>

#include <utility>

namespace mugrad::python {

std::vector<RoleOfColumns> roles_of(const NamesOfRoles& names) {
  std::vector<RoleOfColumns> roles;
  for (const auto& [role, columns] : names) {
    for (const auto& column : columns) roles.push_back({column, column_role_named(role)});
  }
  return roles;
}

namespace {

py::dict to_python(Dataset&& data) {
  return py::dict(
      "name"_a = data.name, "x"_a = array_or_csr_parts(std::move(data.x)),
      "y"_a = csr_parts(data.y),
      "unknown"_a = data.unknown.rows() == 0 ? py::object(py::none()) : csr_parts(data.unknown),
      "feature_names"_a = data.feature_names, "label_names"_a = data.label_names,
      "labels_from"_a = data.labels_from);
}

std::optional<Format> format_or_none(const std::optional<std::string>& name) {
  return name ? std::optional(format_named(*name)) : std::nullopt;
}

py::list formats_of_files() {
  py::list formats;
  for (const FormatInfo& format : file_formats()) {
    const std::vector<std::string_view> endings(format.endings.begin(), format.endings.end());
    formats.append(py::dict("name"_a = format.name, "title"_a = format.title, "endings"_a = endings,
                            "has_names"_a = format.has_names,
                            "declares_labels"_a = format.declares_labels));
  }
  return formats;
}

/// The data set, with what the reader noted under "notes".
py::dict read(const std::string& path, const std::optional<std::string>& format,
              const std::string& labels_xml, std::vector<std::string> label_columns,
              std::optional<Index> label_count, bool labels_optional, std::vector<std::string> drop,
              bool keep_ids, std::string tags, std::optional<std::string> tag_separator,
              Index min_count, const NamesOfRoles& roles, const std::string& missing,
              const std::optional<std::string>& delimiter) {
  std::vector<std::string> notes;
  ReadOptions options{
      .format = format_or_none(format),
      .labels_xml = labels_xml,
      .label_columns = std::move(label_columns),
      .label_count = label_count,
      .labels_optional = labels_optional,
      .drop = std::move(drop),
      .keep_ids = keep_ids,
      .tags = std::move(tags),
      .tag_separator = std::move(tag_separator),
      .min_count = min_count,
      .roles = roles_of(roles),
      .missing = missing_named(missing),
      .delimiter = delimiter ? std::optional(delimiter_named(*delimiter)) : std::nullopt,
      .note = [&notes](const std::string& note) { notes.push_back(note); }};
  Watch watch;
  options.progress = &watch;
  Dataset data = watch.run([&] { return read_dataset(path, options); });
  py::dict result = to_python(std::move(data));
  result["notes"] = notes;
  return result;
}

std::vector<std::string> write(const std::string& path, const py::object& x, const py::object& y,
                               std::string name, std::vector<std::string> feature_names,
                               std::vector<std::string> label_names,
                               const std::optional<std::string>& format) {
  Dataset data = dataset_from(x, y);
  data.name = std::move(name);
  data.feature_names = std::move(feature_names);
  data.label_names = std::move(label_names);
  const auto check = [](const char* what, std::size_t names, Index columns) {
    if (names == 0 || as_index(names) == columns) return;
    throw UsageError(std::to_string(names) + " names for " + std::to_string(columns) + " " + what);
  };
  check("features", data.feature_names.size(), data.features());
  check("labels", data.label_names.size(), data.labels());
  Watch watch;
  std::vector<std::string> files;
  for (const auto& file :
       watch.run([&] { return write_dataset(data, path, format_or_none(format), &watch); })) {
    files.push_back(file.string());
  }
  return files;
}

const CatalogEntry& entry_named(const std::string& name) {
  if (const CatalogEntry* entry = find_in_catalog(name)) return *entry;
  std::string names;
  for (const CatalogEntry& entry : catalog()) {
    names += (names.empty() ? "'" : ", '") + std::string(entry.name) + "'";
  }
  throw UsageError("there is no data set '" + name + "' to fetch; there are " + names);
}

std::optional<std::string> local_file(const std::string& name) {
  const auto found = find_local(entry_named(name));
  return found ? std::optional(found->string()) : std::nullopt;
}

py::list known_sets() {
  py::list sets;
  for (const CatalogEntry& entry : catalog()) {
    // The labels first: where the data file is, they are.
    py::list files;
    for (const CatalogFile& file : {entry.labels, entry.data}) {
      files.append(py::make_tuple(file.upstream, file.local, file.sha256, file.bytes));
    }
    sets.append(py::make_tuple(entry.name, entry.about, files));
  }
  return sets;
}

void write_whole(const std::string& folder,
                 const std::vector<std::pair<std::string, py::bytes>>& files) {
  std::vector<FileContent> contents;
  for (const auto& [name, content] : files) contents.push_back({name, content});
  write_files(folder, contents);
}

py::tuple make(Index rows, Index features, Index labels, Index group_size, double relatedness,
               std::optional<double> cardinality, double noise, double density,
               std::uint64_t seed) {
  const GeneratorOptions options{.rows = rows,
                                 .features = features,
                                 .labels = labels,
                                 .group_size = group_size,
                                 .relatedness = relatedness,
                                 .cardinality = cardinality,
                                 .noise = noise,
                                 .density = density,
                                 .seed = seed};
  Watch watch;
  GeneratedData made = watch.run([&] { return generate(options, &watch); });
  return py::make_tuple(to_python(std::move(made.data)), made.group);
}

}  // namespace

void bind_data(py::module_& module) {
  module.def("file_formats", &formats_of_files);
  module.def("read_dataset", &read, "path"_a, "format"_a, "labels_xml"_a, "label_columns"_a,
             "label_count"_a, "labels_optional"_a, "drop"_a, "keep_ids"_a, "tags"_a,
             "tag_separator"_a, "min_count"_a, "roles"_a, "missing"_a, "delimiter"_a);
  module.def("write_dataset", &write, "path"_a, "x"_a, "y"_a, "name"_a, "feature_names"_a,
             "label_names"_a, "format"_a);
  module.def("catalog", &known_sets);
  module.attr("CATALOG_URL") = catalog_url();
  module.def("cache_folder", [] { return cache_folder().string(); });
  module.def("find_local", &local_file, "name"_a);
  module.def("write_files", &write_whole, "folder"_a, "files"_a);
  module.def("generate", &make, "rows"_a, "features"_a, "labels"_a, "group_size"_a, "relatedness"_a,
             "cardinality"_a, "noise"_a, "density"_a, "seed"_a);
}

}  // namespace mugrad::python
