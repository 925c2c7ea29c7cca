// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/linalg/binary_matrix.h>

namespace mugrad {

/// How much more a column of the design [1 X] scatters within the two classes of a label than its
/// means in them are apart: n (v + v' - (m - m')^2) for n examples with the label, v and m the
/// variance and mean of the column over these, v' and m' over the others. A row per column of the
/// design, a column per label. Requires: both classes of every label have examples.
Matrix<double> fisher_penalty(const Design<double>& design, const BinaryMatrix& labels);

}  // namespace mugrad
