// SPDX-License-Identifier: MIT
#include "bindings.h"
#include "tables.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace mugrad::python {
namespace {

/// Parameters of datasets.load and fetch; what Python has no parameter for is named as in C++.
constexpr OptionNames kParameters = {{
    {Option::format, "format"},
    {Option::labels_xml, "labels_xml"},
    {Option::label_columns, "label_columns"},
    {Option::label_count, "n_labels"},
    {Option::drop, "drop"},
    {Option::keep_ids, "keep_ids"},
    {Option::tags, "tags"},
    {Option::number_columns, "number"},
    {Option::category_columns, "category"},
    {Option::text_columns, "text"},
    {Option::date_columns, "date"},
    {Option::identifier_columns, "identifier"},
    {Option::missing, "missing"},
    {Option::delimiter, "delimiter"},
    {Option::min_words, "min_words"},
    {Option::max_words, "max_words"},
    {Option::min_characters, "min_characters"},
    {Option::max_characters, "max_characters"},
    {Option::min_documents, "min_documents"},
    {Option::max_document_share, "max_document_share"},
    {Option::max_terms, "max_terms"},
    {Option::hash_bits, "hash_bits"},
    {Option::mirror, "mirror"},
    {Option::resume, name_in(kOptionFields, Option::resume)},
    {Option::table_format, name_in(kOptionFields, Option::table_format)},
    {Option::different_options, name_in(kOptionFields, Option::different_options)},
    {Option::row_shards, name_in(kOptionFields, Option::row_shards)},
}};
static_assert(is_complete(kParameters));

thread_local int table_parameters = 0;  ///< objects of TableParameters

std::string_view parameter_name(Option option) {
  if (table_parameters > 0 && option == Option::drop) return "ignore";
  if (table_parameters > 0 && option == Option::identifier_columns) return "id";
  return name_in(kParameters, option);
}

std::string parameter(Option option, std::string_view value) {
  const std::string_view name = parameter_name(option);
  if (value.empty()) return std::string(name);
  if (option == Option::drop || option == Option::identifier_columns) {
    return fmt::format("{}=['{}']", name, value);
  }
  if (option == Option::missing || option == Option::delimiter) {
    return fmt::format("{}='{}'", name, value);
  }
  return fmt::format("{}={}", name, value);
}

/// Options of methods that scikit-learn's users know by another name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOtherNames = {{
    {"iterations", "max_iter"},
    {"kmeans-iterations", "max_iter"},
    {"objective-tolerance", "tol"},
    {"tolerance", "tol"},
    {"seed", "random_state"},
    {"members", "n_estimators"},
    {"c", "C"},
    {"k", "n_neighbors"},
    {"score", "label_score"},  // score is a method of every classifier
}};

std::string method_parameter(std::string_view option) {
  for (const auto& [name, known] : kOtherNames) {
    if (name == option) return std::string(known);
  }
  std::string name(option);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace

TableParameters::TableParameters() { ++table_parameters; }
TableParameters::~TableParameters() { --table_parameters; }

void bind_options(py::module_& module) {
  set_option_writer({.option = parameter, .method_option = method_parameter});
  module.def("parameter_name", &method_parameter, "option"_a);
  std::map<std::string, std::string> parameters;
  for (const auto& [option, field] : kOptionFields) {
    parameters[std::string(field)] = option_text(option);
  }
  module.attr("OPTION_PARAMETERS") = parameters;
}

}  // namespace mugrad::python
