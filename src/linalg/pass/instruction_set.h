// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace mugrad {

/// What the kernels are run with on this machine, theirs and those of BLAS: "AVX2 and Haswell".
/// Where it differs, results may differ in their last bits.
std::string instruction_set();

}  // namespace mugrad
