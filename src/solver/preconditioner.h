// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <span>
#include <vector>

namespace mugrad {

/// An approximate inverse of F'(W), F of equation (11), that costs far less than a pass over the
/// data. Hessians are approximated by SharedCurvature and inverted along the eigenvectors of the
/// covariance, where they are numbers; all other directions share one number. With a transfer
/// matrix the numbers of all tasks form a T x T system for each direction, which is inverted
/// directly; directions with similar eigenvalues share an inverse.
///
/// It is symmetric and positive definite in the inner product in which F is a gradient for
/// reversible transfer, equation (12).
template <class Real>
class Preconditioner {
 public:
  /// With more tasks than this, systems are approximated task by task instead of inverted.
  static constexpr Index kMostCoupled = 1500;

  /// `shared` may be null: the Hessians are then the curvatures times the identity. `shared` and
  /// `transfer` must outlive it.
  Preconditioner(const SharedCurvature<Real>* shared, Index parameters,
                 const Transfer<Real>& transfer, double sigma, ThreadPool& pool);

  /// The memory of a preconditioner with a usual number of distinct eigenvalues, in bytes.
  static double bytes(Index parameters, Index tasks, bool is_coupled, int threads) noexcept;

  /// Sets the mean curvature of the task of each column, and its ridge in excess of the shared one
  /// (empty: none), also on the intercept if that is transferred. With transfer, small changes of
  /// the curvatures are ignored.
  void set_curvatures(std::span<const double> curvatures, std::span<const double> ridges = {});
  /// out = P^-1 in. Requires: as many columns as curvatures.
  void apply(const Matrix<Real>& in, Matrix<Real>& out);

 private:
  /// (diag(curvatures) eigenvalue + ridge + sigma (I - Mbar))^-1, transposed.
  struct Inverse {
    double eigenvalue = 0;
    double ridge = 0;
    Matrix<Real> transposed;
  };
  /// Directions that share an inverse.
  struct Run {
    Index begin, end;
    std::size_t inverse;
  };

  Index directions() const noexcept { return std::ssize(shared_.eigenvalues); }
  double rest() const noexcept { return shared_.rest; }
  double ridge() const noexcept { return shared_.ridge; }
  /// curvature * eigenvalue + ridge of a task, bounded below so that steps stay finite.
  double own_curvature(double eigenvalue, double ridge, std::size_t task) const noexcept;
  /// The diagonal of sigma (I - Mbar) for the intercepts or the other parameters of the tasks.
  double own_strength(bool intercept, std::size_t task) const noexcept;

  void plan_inverses();
  void compute_inverses();
  Matrix<double> system(const Inverse& inverse) const;
  void centre_and_project(const Matrix<Real>& in, Matrix<Real>& out, Index begin, Index end);
  void expand(Matrix<Real>& out, Index begin, Index end) const;
  void scale_separately(Matrix<Real>& out, Index begin, Index end);
  void mix_directions();
  void mix_rest(const Matrix<Real>& in, Matrix<Real>& out);
  void finish_intercepts(const Matrix<Real>& in, Matrix<Real>& out);
  void centre_columns(Matrix<Real>& out);
  template <class Work>
  void for_each_panel(Index columns, const Work& work);

  SharedCurvature<Real> nothing_;
  const SharedCurvature<Real>& shared_;
  Index first_;                    ///< parameters before those with a common covariance
  const CsrMatrix<double>* mbar_;  ///< may be null
  Intercepts intercepts_;
  double sigma_;
  ThreadPool& pool_;
  std::vector<double> curvatures_;
  double flattest_ = 0;                ///< lower bound of own_curvature
  std::vector<double> ridges_;         ///< beyond the shared one, of each column; or empty
  std::vector<double> own_strengths_;  ///< of each task; empty without transfer
  std::vector<Real> elsewhere_;        ///< scratch, one per column
  bool is_coupled_;
  std::vector<Inverse> inverses_;  ///< of the rest, the directions, and the intercepts
  std::vector<Run> runs_;
  Matrix<Real> projected_, mixed_;  ///< directions x columns
  Matrix<Real> centred_;            ///< parameters x columns, with coupling
};

}  // namespace mugrad
