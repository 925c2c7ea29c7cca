// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/views.h>

namespace mugrad {

/// Whether the columns of each of the rows [begin, end) ascend, none twice, from 0 on and below
/// x.cols: for features that are borrowed from someone whose columns nobody has looked at.
/// Requires: row starts that ascend.
bool rows_ascend(const CsrPattern& x, Index begin, Index end) noexcept;

}  // namespace mugrad
