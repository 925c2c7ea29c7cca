// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/mpi/world.h>

namespace mugrad::testing {

/// All ranks that run the tests.
const mpi::World*& the_world();
inline const mpi::Communicator& all_ranks() { return the_world()->communicator(); }

}  // namespace mugrad::testing
