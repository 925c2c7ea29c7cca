// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/option_list.h"

#include <mugrad/method/br.h>
#include <mugrad/method/mgd.h>

namespace mugrad {

void list_options(BrOptions& options, OptionList& list);
/// What training takes besides the data, when it takes most.
MemoryNeed memory_need(const DataShape& shape, const BrOptions& options);

/// BR is MGD with these options.
MgdOptions as_mgd(const BrOptions& options, double examples);
/// The model that MGD made with them.
Model as_br(const Model& model, const BrOptions& options);

}  // namespace mugrad
