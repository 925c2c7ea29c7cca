// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/llsf_dl.h>

namespace mugrad {

void list_options(LlsfDlOptions& options, OptionList& list);

}  // namespace mugrad
