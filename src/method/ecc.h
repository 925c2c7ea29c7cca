// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/ecc.h>

namespace mugrad {

void list_options(EccOptions& options, OptionList& list);

}  // namespace mugrad
