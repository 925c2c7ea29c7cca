// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/option_list.h"

#include <mugrad/core/memory.h>
#include <mugrad/method/mgd_regression.h>

namespace mugrad {

void list_options(RegressionOptions& options, OptionList& list);
/// What training takes besides the data.
MemoryNeed memory_need(const RegressionData& data, const RegressionOptions& options);

}  // namespace mugrad
