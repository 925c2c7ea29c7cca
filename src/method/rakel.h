// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/method/rakel.h>

namespace mugrad {

void list_options(RakelOptions& options, OptionList& list);

}  // namespace mugrad
