// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/table_encoding.h>

#include <string>

namespace mugrad::cli {

/// The columns of a table by role, one line each: "  text        subject, body".
std::string roles_text(const TableSummary& summary);

/// The same with a line per column, and the first rows.
std::string columns_text(const TableSummary& summary);
Json columns_json(const TableSummary& summary);

}  // namespace mugrad::cli
