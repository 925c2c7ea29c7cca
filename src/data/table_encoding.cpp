// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/data/table_encoding.h>

namespace mugrad {
namespace {

constexpr Name<ColumnRole> kNames[] = {{ColumnRole::number, "number"},
                                       {ColumnRole::category, "category"},
                                       {ColumnRole::text, "text"},
                                       {ColumnRole::date, "date"},
                                       {ColumnRole::identifier, "identifier"},
                                       {ColumnRole::tags, "tags"},
                                       {ColumnRole::ignored, "ignored"}};

}  // namespace

std::string_view to_string(ColumnRole role) { return name_of<ColumnRole>(kNames, role); }

ColumnRole column_role_named(std::string_view name) {
  return named<ColumnRole>(kNames, name, "role of columns");
}

}  // namespace mugrad
