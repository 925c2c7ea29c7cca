// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/similarity.h>

#include <memory>
#include <span>

namespace mugrad {

/// The row-stochastic operator by which tasks borrow parameters from each other. Calls may use
/// scratch space of the object: one solver at a time.
template <class Real>
class Transfer {
 public:
  virtual ~Transfer() = default;

  virtual Index tasks() const = 0;
  /// pulled = W Mbar': column i is the mean of all columns that task i borrows from.
  virtual void pull(const Matrix<Real>& weights, Matrix<Real>& pulled) = 0;
};

/// Which parameters a scalar transfer leaves alone.
enum class Intercepts {
  transferred,  ///< all parameters are borrowed, as in the paper
  own,          ///< row 0 of W, the intercept, is each task's own
};

/// The same coefficient mbar_ij for every parameter that is borrowed. `pool` must outlive it.
template <class Real>
std::unique_ptr<Transfer<Real>> scalar_transfer(const CsrMatrix<double>& mbar,
                                                Intercepts intercepts, ThreadPool& pool);

}  // namespace mugrad
