// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"
#include "fuzz/targets.h"

namespace mugrad::fuzz {

void recognition(std::string_view input) { read_recognised(input); }

}  // namespace mugrad::fuzz
