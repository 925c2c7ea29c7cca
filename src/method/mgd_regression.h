// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/mgd_regression.h>

namespace mugrad {

void list_options(RegressionOptions& options, OptionList& list);

}  // namespace mugrad
