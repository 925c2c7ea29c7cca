// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"
#include "fuzz/targets.h"

namespace mugrad::fuzz {

void jsonl(std::string_view input) { read_as(Format::jsonl, input); }

}  // namespace mugrad::fuzz
