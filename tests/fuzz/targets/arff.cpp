// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"
#include "fuzz/targets.h"

namespace mugrad::fuzz {

void arff(std::string_view input) { read_as(Format::arff, input); }

}  // namespace mugrad::fuzz
