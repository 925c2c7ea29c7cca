// SPDX-License-Identifier: MIT
#include "learner/linear_svm.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/lapack.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using Vector = std::vector<double>;

/// The KKT conditions of min |w|^2 / 2 + c sum_i max(0, 1 - y_i f(x_i)), with v = (w, b), rows
/// a_i = (x_i, 1), duals alpha and their slack s = c - alpha:
///   (w, 0) = sum_i y_i alpha_i a_i,   y_i a_i.v - 1 = lower_i - upper_i,
///   alpha_i lower_i = 0,   s_i upper_i = 0,   all four >= 0.
/// Mehrotra's predictor and corrector steps towards them.
class InteriorPoint {
 public:
  InteriorPoint(const Matrix<double>& x, std::span<const double> signs, double c);

  /// The results of the last measure().
  double objective() const noexcept { return objective_; }
  double gap() const noexcept { return (objective_ - dual_objective_) / objective_; }
  /// For the features as given.
  Vector weights() const { return {v_.begin(), v_.end() - 1}; }
  double offset() const noexcept;

  void measure();
  /// Requires: measured. Returns false if rounding allows no step.
  bool step();

 private:
  struct Direction {
    Vector v, alpha, lower, upper;
  };

  Index rows() const noexcept { return a_.rows(); }
  Index size() const noexcept { return a_.cols(); }
  /// out = A v.
  void multiply(const Vector& v, Vector& out) const;
  /// out = A' u.
  void multiply_transposed(const Vector& u, Vector& out) const;
  bool factor();
  void solve(const Vector& lower_rest, const Vector& upper_rest, Direction& direction);
  double longest_step(const Direction& direction) const noexcept;
  double complementarity_after(const Direction& direction, double step) const noexcept;

  double c_;
  Vector sign_;
  Vector mean_;       ///< of each feature; A is centred, which changes only b
  Matrix<double> a_;  ///< one row per example; the last column is 1
  Vector v_, alpha_, slack_, lower_, upper_;
  Vector v_rest_, margin_rest_;  ///< residuals of the first two conditions
  Vector inverse_;               ///< 1 / (lower / alpha + upper / slack)
  double objective_ = 0, dual_objective_ = 0, complementarity_ = 0;
  Matrix<double> weighted_, curvature_;
  Vector of_rows_, lower_rest_, upper_rest_;  ///< scratch
  Direction predictor_, corrector_;
};

InteriorPoint::InteriorPoint(const Matrix<double>& x, std::span<const double> signs, double c)
    : c_(c),
      sign_(signs.begin(), signs.end()),
      mean_(as_size(x.cols())),
      a_(x.rows(), x.cols() + 1, 1),
      v_(mean_.size() + 1),
      alpha_(sign_.size()),
      slack_(sign_.size()),
      lower_(sign_.size(), 1),
      upper_(sign_.size(), 2),  // the second condition holds for v = 0
      v_rest_(v_.size()),
      margin_rest_(sign_.size()),
      inverse_(sign_.size()),
      weighted_(x.rows(), x.cols() + 1),
      curvature_(x.cols() + 1, x.cols() + 1),
      of_rows_(sign_.size()),
      lower_rest_(sign_.size()),
      upper_rest_(sign_.size()) {
  for (Index i = 0; i < x.rows(); ++i) {
    for (std::size_t k = 0; k < mean_.size(); ++k) mean_[k] += x.row(i)[k];
  }
  for (double& mean : mean_) mean /= static_cast<double>(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (std::size_t k = 0; k < mean_.size(); ++k) a_.row(i)[k] = x.row(i)[k] - mean_[k];
  }
  // Duals that balance between the classes, as the condition for b requires.
  const auto positives = static_cast<double>(std::ranges::count(sign_, 1.0));
  const auto negatives = static_cast<double>(sign_.size()) - positives;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    const double own = sign_[i] > 0 ? positives : negatives;
    alpha_[i] = c / 2 * std::min(positives, negatives) / own;
    slack_[i] = c - alpha_[i];
  }
  for (Direction* direction : {&predictor_, &corrector_}) {
    direction->v.resize(v_.size());
    for (Vector* part : {&direction->alpha, &direction->lower, &direction->upper}) {
      part->resize(sign_.size());
    }
  }
}

double InteriorPoint::offset() const noexcept {
  double offset = v_.back();
  for (std::size_t k = 0; k < mean_.size(); ++k) offset -= v_[k] * mean_[k];
  return offset;
}

void InteriorPoint::multiply(const Vector& v, Vector& out) const {
  blas::multiply<double>(rows(), 1, size(), {a_.data(), size()}, {v.data(), 1}, 0, out.data(), 1);
}

void InteriorPoint::multiply_transposed(const Vector& u, Vector& out) const {
  blas::multiply<double>(1, size(), rows(), {u.data(), rows()}, {a_.data(), size()}, 0, out.data(),
                         size());
}

void InteriorPoint::measure() {
  multiply(v_, margin_rest_);
  double loss = 0, duals = 0, products = 0;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    const double beyond = sign_[i] * margin_rest_[i] - 1;
    loss += std::max(0.0, -beyond);
    duals += alpha_[i];
    products += alpha_[i] * lower_[i] + slack_[i] * upper_[i];
    margin_rest_[i] = beyond - lower_[i] + upper_[i];
    of_rows_[i] = sign_[i] * alpha_[i];
  }
  multiply_transposed(of_rows_, v_rest_);
  double squares = 0, dual_squares = 0;
  for (std::size_t k = 0; k < mean_.size(); ++k) {
    squares += v_[k] * v_[k];
    dual_squares += v_rest_[k] * v_rest_[k];
    v_rest_[k] = v_[k] - v_rest_[k];
  }
  v_rest_.back() = -v_rest_.back();
  objective_ = squares / 2 + c_ * loss;
  dual_objective_ = duals - dual_squares / 2;
  complementarity_ = products / (2 * static_cast<double>(sign_.size()));
}

/// diag(1, ..., 1, 0) + A' diag(inverse) A.
bool InteriorPoint::factor() {
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    inverse_[i] = 1 / (lower_[i] / alpha_[i] + upper_[i] / slack_[i]);
    const double root = std::sqrt(inverse_[i]);
    const auto from = a_.row(as_index(i));
    const auto to = weighted_.row(as_index(i));
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = root * from[k];
  }
  blas::multiply_with_itself(rows(), size(), weighted_.data(), curvature_.data());
  for (Index k = 0; k + 1 < size(); ++k) curvature_(k, k) += 1;
  return factor_positive_definite(curvature_);
}

/// The Newton direction for reducing alpha lower and slack upper by these amounts.
void InteriorPoint::solve(const Vector& lower_rest, const Vector& upper_rest,
                          Direction& direction) {
  Vector& pull = direction.alpha;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    pull[i] = margin_rest_[i] + lower_rest[i] / alpha_[i] - upper_rest[i] / slack_[i];
    of_rows_[i] = sign_[i] * pull[i] * inverse_[i];
  }
  multiply_transposed(of_rows_, direction.v);
  for (std::size_t k = 0; k < v_.size(); ++k) direction.v[k] = -v_rest_[k] - direction.v[k];
  solve_factored(curvature_, direction.v);
  multiply(direction.v, of_rows_);
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    const double move = -(pull[i] + sign_[i] * of_rows_[i]) * inverse_[i];
    direction.lower[i] = -(lower_rest[i] + lower_[i] * move) / alpha_[i];
    direction.upper[i] = (upper_[i] * move - upper_rest[i]) / slack_[i];
    direction.alpha[i] = move;
  }
}

/// The longest step for which all stay >= 0.
double InteriorPoint::longest_step(const Direction& direction) const noexcept {
  double fastest = 0;  // largest relative decrease per unit step
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    fastest = std::max({fastest, -direction.alpha[i] / alpha_[i], direction.alpha[i] / slack_[i],
                        -direction.lower[i] / lower_[i], -direction.upper[i] / upper_[i]});
  }
  return fastest > 0 ? 1 / fastest : std::numeric_limits<double>::infinity();
}

double InteriorPoint::complementarity_after(const Direction& direction,
                                            double step) const noexcept {
  double products = 0;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    const double move = step * direction.alpha[i];
    products += (alpha_[i] + move) * (lower_[i] + step * direction.lower[i]) +
                (slack_[i] - move) * (upper_[i] + step * direction.upper[i]);
  }
  return products / (2 * static_cast<double>(sign_.size()));
}

bool InteriorPoint::step() {
  if (!factor()) return false;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    lower_rest_[i] = alpha_[i] * lower_[i];
    upper_rest_[i] = slack_[i] * upper_[i];
  }
  solve(lower_rest_, upper_rest_, predictor_);
  const double left =
      complementarity_after(predictor_, std::min(1.0, longest_step(predictor_))) / complementarity_;
  const double target = left * left * left * complementarity_;
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    lower_rest_[i] += predictor_.alpha[i] * predictor_.lower[i] - target;
    upper_rest_[i] -= predictor_.alpha[i] * predictor_.upper[i] + target;
  }
  solve(lower_rest_, upper_rest_, corrector_);
  constexpr double kOfTheWay = 0.995;
  const double step = std::min(1.0, kOfTheWay * longest_step(corrector_));
  if (!(step > 1e-10)) return false;
  for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += step * corrector_.v[k];
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    alpha_[i] += step * corrector_.alpha[i];
    slack_[i] -= step * corrector_.alpha[i];
    lower_[i] += step * corrector_.lower[i];
    upper_[i] += step * corrector_.upper[i];
  }
  return true;
}

}  // namespace

double LinearSvm::decide(std::span<const double> x) const noexcept {
  double f = offset;
  for (std::size_t k = 0; k < weights.size(); ++k) f += weights[k] * x[k];
  return f;
}

LinearSvm fit_linear_svm(const Matrix<double>& x, std::span<const double> signs,
                         const SvmOptions& options, Progress* progress) {
  assert(std::ssize(signs) == x.rows() && options.c > 0);
  InteriorPoint point(x, signs, options.c);
  point.measure();
  LinearSvm best;
  const auto take = [&] {
    best.weights = point.weights();
    best.offset = point.offset();
    best.objective = point.objective();
    best.gap = point.gap();
  };
  const auto ended = [&](Stop stop) {
    best.stop = stop;
    return best;
  };
  take();
  best.first_gap = best.gap;
  while (true) {
    if (!std::isfinite(point.gap())) {
      return ended(best.gap < best.first_gap ? Stop::stalled : Stop::diverged);
    }
    if (point.gap() < best.gap) take();
    if (best.gap <= options.tolerance) return ended(Stop::converged);
    if (best.iterations == options.max_iterations) return ended(Stop::iteration_limit);
    advance(progress, 0);
    if (!point.step()) return ended(Stop::stalled);
    point.measure();
    ++best.iterations;
  }
}

}  // namespace mugrad
