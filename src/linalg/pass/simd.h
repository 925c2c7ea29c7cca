// SPDX-License-Identifier: MIT
// The instruction sets that kernels are compiled for; include this before Highway. The best one
// that the machine supports is chosen at run time.
#pragma once

// SSSE3 adds nothing to SSE4 that these kernels use. Vectors of unknown length cannot be stored in
// arrays, which the kernels need; ARM machines that have them also have NEON.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
