// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/report/comparison.h>

#include <string>
#include <string_view>

namespace mugrad {

enum class TableFormat { text, markdown, csv, latex };

std::string_view to_string(TableFormat format);
/// Throws UsageError listing the names there are.
TableFormat table_format_named(std::string_view name);

/// A table per metric, methods down and sets across: mean and deviation, the best marked, the
/// second too, and what differs from the control; a mean that is not over all splits says over how
/// many. Below each stand the statistics over the sets, and at the end what failed (in LaTeX as
/// comments). CSV is one table with a row per metric, set and method, and nothing else.
std::string format_tables(const Comparison& comparison, TableFormat format);

}  // namespace mugrad
