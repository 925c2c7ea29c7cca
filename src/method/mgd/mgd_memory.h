// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/memory.h>
#include <mugrad/data/data_shape.h>
#include <mugrad/method/mgd.h>

namespace mugrad {

/// What training takes besides the data, when it takes most.
MemoryNeed memory_need(const DataShape& shape, const MgdOptions& options);

/// Throws MemoryError when there is less than it takes in this precision.
template <class Real>
void require_memory_for(const Dataset& data, const MgdOptions& options);

}  // namespace mugrad
