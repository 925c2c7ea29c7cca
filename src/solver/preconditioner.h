// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/shared_curvature.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <span>
#include <vector>

namespace mugrad {

/// About the inverse of F'(W), F of equation (11), that costs far less than a pass over the data:
/// the Hessians are taken to be those of SharedCurvature, and are inverted along the eigenvectors
/// of the covariance, where they are numbers; all other directions share one number. With a
/// transfer matrix the numbers of all tasks form a T x T system for each direction, which is
/// inverted outright; directions whose eigenvalues are alike share an inverse.
///
/// It is symmetric and positive definite in the inner product that a reversible transfer makes F a
/// gradient in, equation (12).
template <class Real>
class Preconditioner {
 public:
  /// With more tasks than this their systems are not inverted, but taken task by task.
  static constexpr Index kMostCoupled = 1500;

  /// `shared` may be null: then the bends are taken for the Hessians, times the identity.
  /// `shared` and `transfer` must outlive it.
  Preconditioner(const SharedCurvature<Real>* shared, Index parameters,
                 const Transfer<Real>& transfer, double sigma, ThreadPool& pool);

  /// The memory of one, in bytes, where as many eigenvalues are told apart as usual.
  static double bytes(Index parameters, Index tasks, bool is_coupled, int threads) noexcept;

  /// The mean bend of the task of each column, and what its ridge exceeds the shared one by
  /// (empty: nothing), on the intercept too where that is transferred. With transfer small changes
  /// of the bends are passed over.
  void set_bends(std::span<const double> bends, std::span<const double> ridges = {});
  /// out = P^-1 in. Requires: as many columns as bends.
  void apply(const Matrix<Real>& in, Matrix<Real>& out);

 private:
  /// (diag(bends) eigenvalue + ridge + sigma (I - Mbar))^-1, transposed.
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
  /// bend eigenvalue + ridge of a task, and never so little that steps become infinite.
  double own_curvature(double eigenvalue, double ridge, std::size_t task) const noexcept;
  /// What sigma (I - Mbar) has on the diagonal for the tasks' intercepts or other parameters.
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
  Index first_;                    ///< parameters before those that share a covariance
  const CsrMatrix<double>* mbar_;  ///< may be null
  Intercepts intercepts_;
  double sigma_;
  ThreadPool& pool_;
  std::vector<double> bends_;
  double flattest_ = 0;                ///< what own_curvature does not fall below
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
