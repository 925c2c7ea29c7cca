// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/clr.h>

namespace mugrad {

void list_options(ClrOptions& options, OptionList& list);

}  // namespace mugrad
