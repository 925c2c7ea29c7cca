// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/lift.h>

namespace mugrad {

void list_options(LiftOptions& options, OptionList& list);

}  // namespace mugrad
