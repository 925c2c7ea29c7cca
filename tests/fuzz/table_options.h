// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>

#include <string_view>

namespace mugrad::fuzz {

/// Reads `input` without its first byte as a data set of the format, the options taken from that
/// byte, and checks what holds for all formats: reading block by block gives the same rows, and
/// reading again for the same columns gives these.
///
/// The bits of the first byte (letters from '@' on have none of the last two): 1 the last column is
/// a label, or there are two labels; 2 the first is; 4 missing values become means; 8 identifiers
/// are kept; 16 the column `a` is left out; 32 columns l* are labels; 128 semicolons separate
/// cells.
void read_as(Format format, std::string_view input);

/// The same in the format that is recognised. Bits 2 and 3 of the first byte also choose the ending
/// of the file name: none, .csv, .txt or .arff.
void read_recognised(std::string_view input);

}  // namespace mugrad::fuzz
