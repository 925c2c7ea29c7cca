// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"
#include "fuzz/targets.h"

namespace mugrad::fuzz {

void libsvm(std::string_view input) { read_as(Format::libsvm, input); }

}  // namespace mugrad::fuzz
