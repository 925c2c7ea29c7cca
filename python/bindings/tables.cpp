// SPDX-License-Identifier: MIT
#include "tables.h"

#include "arrays.h"
#include "bindings.h"
#include "unlocked.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/data/align.h>
#include <mugrad/data/files.h>
#include <mugrad/data/representation.h>

#include <fmt/format.h>
#include <pybind11/operators.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mugrad::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style>;

/// The columns of a table as Python lends them. Objects that are read are kept, so that nobody can
/// change a list, or free a text, while the interpreter's lock is released.
class LentColumns {
 public:
  /// `convert` makes None, a bool, a number or a text of any other object.
  LentColumns(const std::string& table, const std::vector<std::string>& names,
              const py::list& columns, const py::object& convert)
      : convert_(convert) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const py::object column = columns[i];
      if (py::isinstance<Numbers>(column)) {
        add_numbers(names[i], column.cast<Numbers>());
      } else {
        add_cells(table, names[i], py::tuple(column));
      }
    }
  }
  std::span<const TableColumn> columns() const noexcept { return columns_; }

 private:
  static constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;

  void add_numbers(const std::string& name, const Numbers& numbers) {
    kept_.push_back(numbers);
    columns_.push_back({name, std::span(numbers.data(), as_size(numbers.size()))});
  }

  void add_cells(const std::string& table, const std::string& name, const py::tuple& values) {
    kept_.push_back(values);
    auto& cells = cells_.emplace_back();
    cells.reserve(values.size());
    for (const py::handle value : values) {
      try {
        cells.push_back(cell(value));
      } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
        const bool is_type = error.matches(PyExc_TypeError);
        const std::string what = fmt::format("{}: row {}, column '{}': {}", table, cells.size() + 1,
                                             name, std::string(py::str(error.value())));
        if (is_type) throw py::type_error(what);
        throw InputError(what);
      }
    }
    columns_.push_back({name, std::span<const TableCell>(cells)});
  }

  TableCell cell(py::handle value) {
    if (is_plain(value)) return plain_cell(value);
    const py::object converted = convert_(value);
    kept_.push_back(converted);
    if (is_plain(converted)) return plain_cell(converted);
    // As an error of Python, so that the caller adds the place.
    PyErr_Format(PyExc_TypeError,
                 "a value that became %R, expected a number, a text, a truth value or None",
                 py::type::of(converted).ptr());
    throw py::error_already_set();
  }

  /// Whether it is of a type that files can have.
  static bool is_plain(py::handle value) {
    PyObject* const object = value.ptr();
    return value.is_none() || PyUnicode_Check(object) || PyFloat_Check(object) ||
           PyLong_Check(object);  // truth values among them
  }

  /// Requires: is_plain(value).
  TableCell plain_cell(py::handle value) {
    PyObject* const object = value.ptr();
    if (value.is_none()) return {};
    if (PyUnicode_Check(object)) return text(value);
    if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
    if (PyBool_Check(object)) return std::string_view(object == Py_True ? "true" : "false");
    return whole_number(value);
  }

  static std::string_view text(py::handle value) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (bytes == nullptr) throw py::error_already_set();
    return {bytes, static_cast<std::size_t>(size)};
  }

  /// Its digits, where a double does not hold it: it may name something.
  TableCell whole_number(py::handle value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    const bool is_exact = overflow == 0 && -kLargestExact <= number && number <= kLargestExact;
    if (is_exact) return static_cast<double>(number);
    const py::str digits(value);
    kept_.push_back(digits);
    return text(digits);
  }

  const py::object& convert_;
  std::vector<py::object> kept_;
  std::deque<std::vector<TableCell>> cells_;
  std::vector<TableColumn> columns_;
};

TextOptions text_options_from(const py::dict& given) {
  TextOptions text;
  for (const auto& [name, value] : given) {
    bool is_known = false;
    visit_text_options(text, [&](const char* option, auto& field) {
      if (name.cast<std::string>() != option) return;
      field = value.cast<std::decay_t<decltype(field)>>();
      is_known = true;
    });
    if (!is_known)
      throw UsageError("there is no option of texts called " + std::string(py::str(name)));
  }
  return text;
}

py::dict text_options_to(TextOptions text) {
  py::dict options;
  visit_text_options(text, [&](const char* name, const auto& value) { options[name] = value; });
  return options;
}

/// What the features of a data set are made of.
std::shared_ptr<TableFeatures> features_of(Dataset& data) {
  return std::make_shared<TableFeatures>(TableFeatures{.names = std::move(data.feature_names),
                                                       .encoding = std::move(data.encoding),
                                                       .term_blocks = std::move(data.term_blocks)});
}

py::list roles_found(const TableSummary& summary) {
  py::list roles;
  for (const auto& column : summary.columns) {
    roles.append(py::make_tuple(column.name, to_string(column.role)));
  }
  return roles;
}

/// The features of a table, and what they are made of.
py::dict learn(const std::string& table, const std::vector<std::string>& names,
               const py::list& columns, const py::object& convert, const NamesOfRoles& roles,
               std::vector<std::string> ignore, const std::string& missing, const py::dict& text,
               int threads) {
  const LentColumns lent(table, names, columns, convert);
  std::vector<std::string> notes;
  TableSummary summary;
  Watch watch;
  const ReadOptions options{.labels_optional = true,
                            .drop = std::move(ignore),
                            .roles = roles_of(roles),
                            .text = text_options_from(text),
                            .missing = missing_named(missing),
                            .threads = Threads{threads},
                            .note = [&](const std::string& note) { notes.push_back(note); },
                            .summary = [&](const TableSummary& found) { summary = found; },
                            .progress = &watch};
  const TableParameters parameters;
  Dataset data = watch.run([&] { return read_table(lent.columns(), options, table); });
  auto features = features_of(data);
  return py::dict("x"_a = array_or_csr_parts(std::move(data.x)), "features"_a = std::move(features),
                  "roles"_a = roles_found(summary), "notes"_a = notes);
}

/// Other rows as the same features; values that the encoding does not fill in are NaN.
py::dict apply(const std::string& table, const std::vector<std::string>& names,
               const py::list& columns, const py::object& convert, const TableFeatures& features,
               const std::string& missing, int threads) {
  const LentColumns lent(table, names, columns, convert);
  std::vector<std::string> notes;
  const auto note = [&](const std::string& sentence) { notes.push_back(sentence); };
  const Missing how = missing_named(missing);
  Watch watch;
  const ReadOptions options{.labels_optional = true,
                            .missing = how == Missing::mean ? Missing::keep : how,
                            .encode_like = features.names,
                            .encoding = features.encoding,
                            .threads = Threads{threads},
                            .note = note,
                            .progress = &watch};
  const TableParameters parameters;
  Features x = watch.run([&]() -> Features {
    Dataset data = read_table(lent.columns(), options, table);
    if (!features.encoding.is_empty()) return std::move(data.x);
    const ExpectedColumns expected{.count = std::ssize(features.names), .names = features.names};
    return align_features(std::move(data), expected, note);
  });
  return py::dict("x"_a = array_or_csr_parts(std::move(x)), "notes"_a = notes);
}

/// Texts that list labels, read as a column of tags of a file: CSR parts, names and the separator.
py::tuple read_tags(const std::string& name, const py::list& texts, const py::object& convert,
                    std::optional<std::string> separator) {
  const LentColumns lent(name, {"tags"}, py::list(py::make_tuple(texts)), convert);
  TableSummary summary;
  Watch watch;
  const ReadOptions options{.tags = "tags",
                            .tag_separator = std::move(separator),
                            .summary = [&](const TableSummary& found) { summary = found; },
                            .progress = &watch};
  const Dataset data = watch.run([&] { return read_table(lent.columns(), options, name); });
  return py::make_tuple(csr_parts(data.y), data.label_names, summary.separator);
}

py::list columns_to(const TableEncoding& encoding) {
  py::list columns;
  for (const auto& column : encoding.columns) {
    columns.append(py::make_tuple(column.name, to_string(column.role), column.first, column.width,
                                  column.marks_missing, column.has_other, column.fill,
                                  column.separator));
  }
  return columns;
}

EncodedColumn column_from(const py::tuple& fields) {
  return {.name = fields[0].cast<std::string>(),
          .role = column_role_named(fields[1].cast<std::string>()),
          .first = fields[2].cast<Index>(),
          .width = fields[3].cast<Index>(),
          .marks_missing = fields[4].cast<bool>(),
          .has_other = fields[5].cast<bool>(),
          .fill = fields[6].cast<std::optional<double>>(),
          .separator = fields[7].cast<std::string>()};
}

py::list blocks_to(const std::vector<TermBlock>& blocks) {
  py::list all;
  for (const auto& block : blocks) all.append(py::make_tuple(block.first, block.count));
  return all;
}

std::vector<TermBlock> blocks_from(const std::vector<std::pair<Index, Index>>& pairs) {
  std::vector<TermBlock> blocks;
  for (const auto& [first, count] : pairs) blocks.push_back({first, count});
  return blocks;
}

py::tuple state_of(const TableFeatures& features) {
  return py::make_tuple(features.names, columns_to(features.encoding),
                        text_options_to(features.encoding.text), blocks_to(features.term_blocks));
}

TableFeatures features_from_state(const py::tuple& state) {
  TableFeatures features{.names = state[0].cast<std::vector<std::string>>()};
  for (const auto& column : state[1].cast<py::list>()) {
    features.encoding.columns.push_back(column_from(column.cast<py::tuple>()));
  }
  features.encoding.text = text_options_from(state[2].cast<py::dict>());
  features.term_blocks = blocks_from(state[3].cast<std::vector<std::pair<Index, Index>>>());
  return features;
}

Representation learn_representation(const py::object& x, const std::string& kind,
                                    const TableFeatures& features) {
  const Features rows = features_from(x);
  const Unlocked unlocked;
  return fit_representation(rows, representation_named(kind), {}, features.term_blocks);
}

py::object apply_representation(const Representation& representation, const py::object& x) {
  const Features rows = features_from(x);
  if (rows.cols() != std::ssize(representation.mean)) {
    throw UsageError("rows with other features than those of the representation");
  }
  Features made = [&] {
    const Unlocked unlocked;
    return represented(rows, representation);
  }();
  return array_or_csr_parts(std::move(made));
}

py::tuple state_of(const Representation& r) {
  return py::make_tuple(to_string(r.kind), r.mean, r.deviation, r.term_weight, r.row_length,
                        blocks_to(r.term_blocks), r.text_length, r.beside_texts);
}

Representation representation_from_state(const py::tuple& state) {
  return {.kind = representation_named(state[0].cast<std::string>()),
          .mean = state[1].cast<std::vector<double>>(),
          .deviation = state[2].cast<std::vector<double>>(),
          .term_weight = state[3].cast<std::vector<double>>(),
          .row_length = state[4].cast<double>(),
          .term_blocks = blocks_from(state[5].cast<std::vector<std::pair<Index, Index>>>()),
          .text_length = state[6].cast<double>(),
          .beside_texts = state[7].cast<double>()};
}

}  // namespace

void bind_tables(py::module_& module) {
  py::class_<TableFeatures, std::shared_ptr<TableFeatures>>(module, "TableFeatures")
      .def_readonly("names", &TableFeatures::names)
      .def_property_readonly("columns",
                             [](const TableFeatures& f) { return columns_to(f.encoding); })
      .def_property_readonly(
          "text", [](const TableFeatures& f) { return text_options_to(f.encoding.text); })
      .def_property_readonly("term_blocks",
                             [](const TableFeatures& f) { return blocks_to(f.term_blocks); })
      .def(py::self == py::self)
      .def(py::pickle([](const TableFeatures& features) { return state_of(features); },
                      &features_from_state));
  py::class_<Representation>(module, "Representation")
      .def(py::init(&learn_representation), "x"_a, "kind"_a, "features"_a)
      .def_property_readonly("mean",
                             [](const Representation& r) {
                               return py::array_t<double>(std::ssize(r.mean), r.mean.data());
                             })
      .def_property_readonly("term_weight",
                             [](const Representation& r) {
                               return py::array_t<double>(std::ssize(r.term_weight),
                                                          r.term_weight.data());
                             })
      .def("apply", &apply_representation, "x"_a)
      .def(py::pickle([](const Representation& r) { return state_of(r); },
                      &representation_from_state));
  module.def("representation_kinds", [] {
    std::vector<std::string_view> names;
    for (const auto kind : representation_kinds()) names.push_back(to_string(kind));
    return names;
  });
  module.def("text_options", [] { return text_options_to({}); });
  module.def(
      "terms_of_text",
      [](const std::string& text, const py::dict& options) {
        return terms_of_text(text, text_options_from(options));
      },
      "text"_a, "options"_a);
  module.def("read_tags", &read_tags, "name"_a, "texts"_a, "convert"_a, "separator"_a);
  module.def("learn_table", &learn, "table"_a, "names"_a, "columns"_a, "convert"_a, "roles"_a,
             "ignore"_a, "missing"_a, "text"_a, "threads"_a);
  module.def("apply_table", &apply, "table"_a, "names"_a, "columns"_a, "convert"_a, "features"_a,
             "missing"_a, "threads"_a);
}

}  // namespace mugrad::python
