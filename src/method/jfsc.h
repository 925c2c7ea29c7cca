// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/jfsc.h>

namespace mugrad {

void list_options(JfscOptions& options, OptionList& list);

}  // namespace mugrad
