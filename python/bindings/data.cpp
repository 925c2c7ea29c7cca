// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/core/write_files.h>
#include <mugrad/data/catalog.h>
#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>

#include <pybind11/stl.h>

#include <utility>

namespace py = pybind11;

namespace mugrad::python {
namespace {

/// An array, or the parts of a CSR matrix.
py::object to_python(Features&& x) {
  if (x.is_sparse()) return csr_parts(x.sparse());
  return array_from(std::move(x.dense()));
}

py::dict to_python(Dataset&& data) {
  py::dict result;
  result["name"] = data.name;
  result["x"] = to_python(std::move(data.x));
  result["y"] = csr_parts(data.y);
  result["unknown"] = data.unknown.rows() == 0 ? py::object(py::none()) : csr_parts(data.unknown);
  result["feature_names"] = data.feature_names;
  result["label_names"] = data.label_names;
  result["labels_from"] = data.labels_from;
  return result;
}

Missing missing_named(const std::string& name) {
  if (name == "refuse") return Missing::refuse;
  if (name == "mean") return Missing::mean;
  if (name == "keep") return Missing::keep;
  throw UsageError("missing must be 'refuse', 'mean' or 'keep', got '" + name + "'");
}

std::optional<Format> format_or_none(const std::optional<std::string>& name) {
  return name ? std::optional(format_named(*name)) : std::nullopt;
}

/// The data set, with what the reader noted under "notes".
py::dict read(const std::string& path, const std::optional<std::string>& format,
              const std::string& labels_xml, std::vector<std::string> label_columns,
              std::optional<Index> label_count, bool labels_optional, std::vector<std::string> drop,
              bool keep_ids, const std::string& missing) {
  std::vector<std::string> notes;
  ReadOptions options{.format = format_or_none(format),
                      .labels_xml = labels_xml,
                      .label_columns = std::move(label_columns),
                      .label_count = label_count,
                      .labels_optional = labels_optional,
                      .drop = std::move(drop),
                      .keep_ids = keep_ids,
                      .missing = missing_named(missing),
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
  KnownLabels labels = labels_from(y);
  Dataset data{.name = std::move(name),
               .x = features_from(x),
               .y = std::move(labels.y),
               .unknown = std::move(labels.unknown),
               .feature_names = std::move(feature_names),
               .label_names = std::move(label_names)};
  const auto check = [](const char* what, std::size_t names, Index columns) {
    if (names == 0 || static_cast<Index>(names) == columns) return;
    throw UsageError(std::to_string(names) + " names for " + std::to_string(columns) + " " + what);
  };
  check("features", data.feature_names.size(), data.features());
  check("labels", data.label_names.size(), data.labels());
  if (data.x.rows() != data.y.rows()) {
    throw UsageError("X has " + std::to_string(data.x.rows()) + " rows, Y has " +
                     std::to_string(data.y.rows()));
  }
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
  module.def("read_dataset", &read, py::arg("path"), py::arg("format"), py::arg("labels_xml"),
             py::arg("label_columns"), py::arg("label_count"), py::arg("labels_optional"),
             py::arg("drop"), py::arg("keep_ids"), py::arg("missing"));
  module.def("write_dataset", &write, py::arg("path"), py::arg("x"), py::arg("y"), py::arg("name"),
             py::arg("feature_names"), py::arg("label_names"), py::arg("format"));
  module.def("catalog", &known_sets);
  module.attr("CATALOG_URL") = catalog_url();
  module.def("cache_folder", [] { return cache_folder().string(); });
  module.def("find_local", &local_file, py::arg("name"));
  module.def("write_files", &write_whole, py::arg("folder"), py::arg("files"));
  module.def("generate", &make, py::arg("rows"), py::arg("features"), py::arg("labels"),
             py::arg("group_size"), py::arg("relatedness"), py::arg("cardinality"),
             py::arg("noise"), py::arg("density"), py::arg("seed"));
}

}  // namespace mugrad::python
