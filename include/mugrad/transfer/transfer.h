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

/// Which parameters a scalar transfer leaves alone.
enum class Intercepts {
  transferred,  ///< all parameters are borrowed, as in the paper
  own,          ///< row 0 of W, the intercept, is each task's own
};

/// The row-stochastic operator by which tasks borrow parameters from each other. Calls may use
/// scratch space of the object: one solver at a time.
template <class Real>
class Transfer {
 public:
  virtual ~Transfer() = default;

  virtual Index tasks() const = 0;
  /// Told before each pull which iteration it is for, counted from 0.
  virtual void begin_iteration(Index /*iteration*/) {}
  /// pulled = W Mbar': column i is the mean of all columns that task i borrows from.
  virtual void pull(const Matrix<Real>& weights, Matrix<Real>& pulled) = 0;

  /// The T x T matrix, if it is one and the same for every parameter and iteration, intercepts
  /// excepted; null: it is not, or is never formed.
  virtual const CsrMatrix<double>* matrix() const { return nullptr; }
  /// r_i > 0 with r_i mbar_ij = r_j mbar_ji, equation (12). Empty: not reversible.
  virtual std::span<const double> reversing_weights() const { return {}; }
  virtual Intercepts intercepts() const { return Intercepts::transferred; }
  /// By how much the coefficients of each task, rounded as pull multiplies by them, sum to more
  /// than the exact ones. Empty: not known, or nothing to speak of.
  virtual std::span<const double> excess() const { return {}; }
};

/// Elementwise transfer, equation (7): each parameter k has a row-stochastic matrix of its own,
/// one of a few, so that nothing of size parameters x T x T is needed.
struct TransferSlices {
  static constexpr int kOwn = -1;  ///< not a matrix: the parameter is not borrowed

  std::vector<CsrMatrix<double>> matrices = {};  ///< T x T each
  std::vector<int> of_parameter = {};  ///< which matrix, or kOwn, for the first parameters
  int of_the_rest = 0;                 ///< and for all after those
};

/// Throws UsageError where a matrix is not row-stochastic, naming matrix, row and value, or a
/// parameter's matrix is not there. `pool` must outlive it.
template <class Real>
std::unique_ptr<Transfer<Real>> elementwise_transfer(const TransferSlices& slices,
                                                     ThreadPool& pool);

/// The same coefficient mbar_ij for every parameter that is borrowed: one slice.
template <class Real>
std::unique_ptr<Transfer<Real>> scalar_transfer(const CsrMatrix<double>& mbar,
                                                Intercepts intercepts, ThreadPool& pool);

/// Cosine transfer, equation (15), exactly, without a T x T matrix: with the label columns scaled
/// to unit length in Yn, C = Yn' Yn. A pull costs 2 ones(Y) per parameter. The solver finds the
/// equilibrium sooner when it is told the matrix all the same; `matrix` may be null.
/// `pool` and `matrix` must outlive it.
template <class Real>
std::unique_ptr<Transfer<Real>> low_rank_cosine_transfer(const BinaryMatrix& labels,
                                                         Intercepts intercepts, ThreadPool& pool,
                                                         const CsrMatrix<double>* matrix = nullptr);

/// Whether that pulls faster than the matrix it stands for: there are more labels, and pairs of
/// them that go together, than examples.
bool low_rank_pays(const BinaryMatrix& labels, const CsrMatrix<double>& matrix);
/// The same for a matrix of which only the number of entries is known.
bool low_rank_pays(const BinaryMatrix& labels, Index entries);

/// Another transfer at each iteration: `at(t)` gives the one of iteration t, which must live until
/// the next call. Requires: all have `tasks` tasks.
template <class Real>
std::unique_ptr<Transfer<Real>> scheduled_transfer(Index tasks,
                                                   std::function<Transfer<Real>&(Index)> at);

}  // namespace mugrad
