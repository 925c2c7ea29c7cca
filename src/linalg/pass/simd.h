// SPDX-License-Identifier: MIT
// Which instruction sets the kernels are compiled for; to be included before Highway. The best of
// them that the machine has is chosen when the program runs.
#pragma once

// SSSE3 adds nothing that these kernels use to SSE4. Vectors whose length is not known to the
// compiler cannot lie in arrays, as the kernels want; ARM machines that have them have NEON too.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
