// SPDX-License-Identifier: MIT
#include "model/encoding_json.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mugrad {
namespace {

using nlohmann::json;

/// Beyond any number of features.
constexpr Index kMost = 0x7FFFFFFF;

json json_of(const EncodedColumn& column) {
  json result = {{"name", column.name}, {"role", to_string(column.role)}};
  if (column.width > 0) {
    result["first"] = column.first;
    result["width"] = column.width;
  }
  if (column.marks_missing) result["marks_missing"] = true;
  if (column.has_other) result["has_other"] = true;
  if (column.fill) result["fill"] = *column.fill;
  if (column.role == ColumnRole::tags) result["separator"] = column.separator;
  return result;
}

EncodedColumn column_from(const JsonField& field) {
  EncodedColumn column{.name = field["name"].text()};
  try {
    column.role = column_role_named(field["role"].text());
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{} is unknown: {}", field["role"].name(), error.what()));
  }
  if (field.has("width")) {
    column.first = field["first"].whole_number(0, kMost);
    column.width = field["width"].whole_number(0, kMost);
  }
  column.marks_missing = field.has("marks_missing") && field["marks_missing"].flag();
  column.has_other = field.has("has_other") && field["has_other"].flag();
  if (field.has("fill")) column.fill = field["fill"].number();
  if (field.has("separator")) column.separator = field["separator"].text();
  return column;
}

json json_of(const TextOptions& text) {
  return {{"min_words", text.min_words},
          {"max_words", text.max_words},
          {"min_characters", text.min_characters},
          {"max_characters", text.max_characters},
          {"min_documents", text.min_documents},
          {"max_document_share", text.max_document_share},
          {"max_terms", text.max_terms},
          {"hash_bits", text.hash_bits},
          {"sublinear", text.sublinear}};
}

TextOptions text_from(const JsonField& field) {
  const auto count = [&](const char* key) { return field[key].whole_number(0, kMost); };
  return {.min_words = count("min_words"),
          .max_words = count("max_words"),
          .min_characters = count("min_characters"),
          .max_characters = count("max_characters"),
          .min_documents = count("min_documents"),
          .max_document_share = field["max_document_share"].number(),
          .max_terms = count("max_terms"),
          .hash_bits = static_cast<int>(count("hash_bits")),
          .sublinear = field["sublinear"].flag()};
}

}  // namespace

json json_of(const TableEncoding& encoding) {
  json columns = json::array();
  bool has_text = false;
  for (const auto& column : encoding.columns) {
    columns.push_back(json_of(column));
    has_text = has_text || column.role == ColumnRole::text;
  }
  json result = {{"columns", std::move(columns)}};
  if (has_text) result["text"] = json_of(encoding.text);
  return result;
}

TableEncoding encoding_from(const JsonField& field) {
  TableEncoding encoding;
  for (const auto& column : field["columns"].items()) {
    encoding.columns.push_back(column_from(column));
  }
  if (field.has("text")) encoding.text = text_from(field["text"]);
  return encoding;
}

}  // namespace mugrad
