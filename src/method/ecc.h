// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/ecc.h>

namespace mugrad {

void list_options(EccOptions& options, OptionList& list);
/// What training takes besides the data, when it takes most.
MemoryNeed memory_need(const DataShape& shape, const EccOptions& options);

}  // namespace mugrad
