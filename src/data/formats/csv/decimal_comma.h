// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/label_search.h"

#include <mugrad/data/files.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

struct CsvLayout;

/// Which columns write numbers with a decimal comma (3,14), as is usual where semicolons separate
/// cells: columns of numbers, by the options, the model or their cells, in which some number has a
/// comma and none has a point. Empty if there are none. Notes them.
std::vector<bool> find_decimal_commas(const SourceText& source, const char* rows,
                                      const CsvLayout& layout, const TableColumns& columns,
                                      const ReadOptions& options);

/// The number with a decimal point, stored in `number`; any other text unchanged.
std::string_view with_point(std::string_view text, std::string& number);

}  // namespace mugrad::formats
