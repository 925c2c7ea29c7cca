// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/encoding_plan.h"
#include "data/formats/table/generated_names.h"
#include "data/formats/table/known_names.h"

#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// Decides how nominals are encoded: one 0/1 column for a two-valued one, one column per value for
/// others, none for identifiers.
class CategoryPlanner {
 public:
  /// Requires: everything outlives this.
  CategoryPlanner(const ValueSurvey& survey, const std::string& file, const ReadOptions& options,
                  const KnownNames& known, const ColumnNameCheck& columns)
      : survey_(survey), file_(file), options_(options), known_(known), columns_(columns) {}

  /// Appends the names of the columns that the attribute becomes. Throws InputError.
  ColumnEncoding plan(std::size_t i, std::vector<std::string>& names) const;

 private:
  const std::string& name(std::size_t i) const { return survey_.columns()[i].attribute->name; }
  const ValueCodes& codes(std::size_t i) const { return *survey_.columns()[i].values; }
  bool fills_in(std::size_t i) const;
  ColumnEncoding zero_one(std::size_t i, std::vector<std::string>& names) const;
  ColumnEncoding marked_zero_one(std::size_t i, std::vector<std::string>& names) const;
  ColumnEncoding one_hot(std::size_t i, const std::vector<std::string>& values,
                         std::vector<std::string>& names) const;
  ColumnEncoding as_the_model_has_it(std::size_t i, const std::vector<std::string>& wanted,
                                     std::vector<std::string>& names) const;
  ColumnEncoding left_out(std::size_t i, std::string_view why) const;
  std::vector<std::string> values_in_order(std::size_t i) const;
  void keep_most_frequent(std::size_t i, std::vector<std::string>& values) const;
  bool is_chosen(std::size_t i) const;
  void tell_if_nearly_unique(std::size_t i, Index values) const;
  bool is_identifier(std::size_t i) const;
  [[noreturn]] void fail_as_one_column(std::size_t i) const;
  std::vector<std::string> known_values(std::size_t i) const;

  const ValueSurvey& survey_;
  const std::string& file_;
  const ReadOptions& options_;
  const KnownNames& known_;
  const ColumnNameCheck& columns_;
};

}  // namespace mugrad::formats
