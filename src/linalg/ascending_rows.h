// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

namespace mugrad {

/// Whether the columns of each row in [begin, end) are strictly ascending, >= 0 and below x.cols.
/// For borrowed features, whose columns have not been checked. Requires: ascending row starts.
bool rows_ascend(const CsrPattern& x, Index begin, Index end) noexcept;

}  // namespace mugrad
