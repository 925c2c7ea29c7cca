// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

namespace mugrad {

/// What share of a run is done, in [0, 1]: the larger of the share of the iterations allowed and of
/// the digits by which the residual is to fall. 1 where the residual is 0; with a tolerance of 0
/// iterations alone count. It may fall from one iterate to the next, as residuals may rise.
double share_done(const Iterate& iterate, const Stopping& stopping) noexcept;

}  // namespace mugrad
