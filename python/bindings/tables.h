// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>

#include <map>
#include <string>
#include <vector>

namespace mugrad::python {

/// What the features of a table are, and how its columns became them.
struct TableFeatures {
  std::vector<std::string> names = {};
  TableEncoding encoding = {};  ///< empty: the names say it all
  std::vector<TermBlock> term_blocks = {};

  bool operator==(const TableFeatures&) const = default;
};

/// Calls visit(name, field) for every option, under the name of its field.
template <class Visit>
void visit_text_options(TextOptions& text, const Visit& visit) {
  visit("min_words", text.min_words);
  visit("max_words", text.max_words);
  visit("min_characters", text.min_characters);
  visit("max_characters", text.max_characters);
  visit("min_documents", text.min_documents);
  visit("max_document_share", text.max_document_share);
  visit("max_terms", text.max_terms);
  visit("hash_bits", text.hash_bits);
  visit("sublinear", text.sublinear);
}

/// Names of columns, or `prefix*`, by role.
using NamesOfRoles = std::map<std::string, std::vector<std::string>>;
std::vector<RoleOfColumns> roles_of(const NamesOfRoles& names);

/// While there is one, messages of this thread name the parameters of TableVectorizer, not those of
/// datasets.load.
class TableParameters {
 public:
  TableParameters();
  ~TableParameters();
  TableParameters(const TableParameters&) = delete;
  TableParameters& operator=(const TableParameters&) = delete;
};

}  // namespace mugrad::python
