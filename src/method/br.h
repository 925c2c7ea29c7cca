// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/br.h>

namespace mugrad {

void list_options(BrOptions& options, OptionList& list);

}  // namespace mugrad
