// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// Products of a dense matrix and a panel of a single cache line, of which `columns` are filled:
/// too narrow for the packing of a BLAS to pay. `a` is rows x cols.

/// The filled columns of out (rows x kLine<Real>) = a * panel (cols x kLine<Real>).
void multiply_narrow(Index rows, Index cols, const float* a, const float* panel, Index columns,
                     float* out) noexcept;
void multiply_narrow(Index rows, Index cols, const double* a, const double* panel, Index columns,
                     double* out) noexcept;

/// The filled columns of sums (cols x kLine<Real>) += a' * panel (rows x kLine<Real>).
void add_narrow(Index rows, Index cols, const float* a, const float* panel, Index columns,
                float* sums) noexcept;
void add_narrow(Index rows, Index cols, const double* a, const double* panel, Index columns,
                double* sums) noexcept;

}  // namespace mugrad
