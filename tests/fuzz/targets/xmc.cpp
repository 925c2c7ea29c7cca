// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"
#include "fuzz/targets.h"

namespace mugrad::fuzz {

void xmc(std::string_view input) { read_as(Format::xmc, input); }

}  // namespace mugrad::fuzz
