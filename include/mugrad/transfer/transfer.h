// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// Which parameters a scalar transfer excludes.
enum class Intercepts {
  transferred,  ///< all parameters are borrowed, as in the paper
  own,          ///< row 0 of W, the intercept, is not transferred
};

/// The row-stochastic operator by which tasks borrow parameters from each other. Calls may use
/// scratch space of the object, so only one solver may use it at a time.
template <class Real>
class Transfer {
 public:
  virtual ~Transfer() = default;

  virtual Index tasks() const = 0;
  /// Called before each apply with the number of its iteration, from 0.
  virtual void begin_iteration(Index /*iteration*/) {}
  /// borrowed = W Mbar': column i is the weighted mean of the columns that task i borrows from.
  virtual void apply(const Matrix<Real>& weights, Matrix<Real>& borrowed) = 0;

  /// The T x T matrix, if it is the same for all parameters (except intercepts) and iterations;
  /// null: it is not, or it is never formed.
  virtual const CsrMatrix<double>* matrix() const { return nullptr; }
  /// r_i > 0 with r_i mbar_ij = r_j mbar_ji, equation (12). Empty: not reversible.
  virtual std::span<const double> reversing_weights() const { return {}; }
  virtual Intercepts intercepts() const { return Intercepts::transferred; }
  /// For each task, the sum of its coefficients as apply rounds them, minus the sum of the exact
  /// ones. Empty: unknown or negligible.
  virtual std::span<const double> excess() const { return {}; }
};

/// Elementwise transfer, equation (7): each parameter k has a row-stochastic matrix, one of a few,
/// so that nothing of size parameters x T x T is needed.
struct TransferSlices {
  static constexpr int kOwn = -1;  ///< not a matrix: the parameter is not borrowed

  std::vector<CsrMatrix<double>> matrices = {};  ///< T x T each
  std::vector<int> of_parameter = {};            ///< the matrix, or kOwn, of the first parameters
  int of_the_rest = 0;                           ///< the matrix of all later parameters
};

/// Throws UsageError if a matrix is not row-stochastic, naming matrix, row and value, or if the
/// matrix of a parameter does not exist. `pool` must outlive it.
template <class Real>
std::unique_ptr<Transfer<Real>> elementwise_transfer(const TransferSlices& slices,
                                                     ThreadPool& pool);

/// The same coefficient mbar_ij for every transferred parameter: one slice.
template <class Real>
std::unique_ptr<Transfer<Real>> scalar_transfer(const CsrMatrix<double>& mbar,
                                                Intercepts intercepts, ThreadPool& pool);

/// Cosine transfer, equation (15), exactly, without a T x T matrix: C = Yn' Yn, where Yn has the
/// label columns scaled to unit length. Applying it costs 2 ones(Y) per parameter. The solver is
/// faster if it also has the matrix; `matrix` may be null. `pool` and `matrix` must outlive it.
template <class Real>
std::unique_ptr<Transfer<Real>> low_rank_cosine_transfer(const BinaryMatrix& labels,
                                                         Intercepts intercepts, ThreadPool& pool,
                                                         const CsrMatrix<double>* matrix = nullptr);

/// Whether applying the low-rank form is faster than applying the matrix: there are more labels,
/// and more pairs of labels that occur together, than examples.
bool low_rank_pays(const BinaryMatrix& labels, const CsrMatrix<double>& matrix);
/// The same if only the number of entries of the matrix is known.
bool low_rank_pays(const BinaryMatrix& labels, Index entries);

/// A different transfer at each iteration: `at(t)` returns that of iteration t, which must live
/// until the next call. Requires: all have `tasks` tasks.
template <class Real>
std::unique_ptr<Transfer<Real>> scheduled_transfer(Index tasks,
                                                   std::function<Transfer<Real>&(Index)> at);

}  // namespace mugrad
