// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace mugrad {

/// The instruction sets of our kernels and of BLAS on this machine: "AVX2 and Haswell". Results may
/// differ in their last bits between instruction sets.
std::string instruction_set();

}  // namespace mugrad
