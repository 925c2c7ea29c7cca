// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/lp.h>

namespace mugrad {

void list_options(LpOptions& options, OptionList& list);

}  // namespace mugrad
