// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/table_encoding.h>

#include <string>
#include <vector>

namespace mugrad {

/// Throws InputError if the encoding does not fit a model of so many features with these names.
void check_encoding(const TableEncoding& encoding, Index features,
                    const std::vector<std::string>& names);

}  // namespace mugrad
