// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/cc.h>

namespace mugrad {

void list_options(CcOptions& options, OptionList& list);

}  // namespace mugrad
