// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/camel.h>

namespace mugrad {

void list_options(CamelOptions& options, OptionList& list);

}  // namespace mugrad
