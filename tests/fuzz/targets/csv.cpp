// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"
#include "fuzz/targets.h"

namespace mugrad::fuzz {

void csv(std::string_view input) { read_as(Format::csv, input); }

}  // namespace mugrad::fuzz
