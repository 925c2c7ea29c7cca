// SPDX-License-Identifier: MIT
// Tasks with their own costs and data: a dozen regressions along a line, each with its own rows.
// Each borrows weights from its neighbours, because its own rows are too few.
#include <mugrad/core/random.h>
#include <mugrad/mugrad.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace {

using mugrad::Index;
using mugrad::Matrix;

constexpr Index kTasks = 12;
constexpr Index kParameters = 8;

/// f(w) = |X w - y|^2 / (2 rows) + (rho / 2) |w|^2.
class Regression final : public mugrad::Task<double> {
 public:
  Regression(Matrix<double> x, std::vector<double> y, double rho)
      : x_(std::move(x)), y_(std::move(y)), rho_(rho) {}

  Index parameters() const override { return x_.cols(); }

  double evaluate(std::span<const double> w, std::span<double> gradient) override {
    double value = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      gradient[k] = rho_ * w[k];
      value += rho_ / 2 * w[k] * w[k];
    }
    const auto rows = static_cast<double>(x_.rows());
    for (Index j = 0; j < x_.rows(); ++j) {
      const auto x = x_.row(j);
      double error = -y_[static_cast<std::size_t>(j)];
      for (std::size_t k = 0; k < w.size(); ++k) error += x[k] * w[k];
      for (std::size_t k = 0; k < w.size(); ++k) gradient[k] += error * x[k] / rows;
      value += error * error / (2 * rows);
    }
    return value;
  }

  /// No eigenvalue of X'X exceeds its trace.
  mugrad::CurvatureRange curvature() override {
    double trace = 0;
    for (const double x : x_.values()) trace += x * x;
    return {.least = rho_, .most = trace / static_cast<double>(x_.rows()) + rho_};
  }

 private:
  Matrix<double> x_;
  std::vector<double> y_;
  double rho_;
};

/// True weights that drift from task to task.
Matrix<double> drifting_weights() {
  mugrad::RandomStream random(1, "true weights");
  Matrix<double> truth(kParameters, kTasks);
  for (Index k = 0; k < kParameters; ++k) {
    truth(k, 0) = random.normal();
    for (Index i = 1; i < kTasks; ++i) truth(k, i) = truth(k, i - 1) + 0.1 * random.normal();
  }
  return truth;
}

/// Noisy rows of each task: from 4, fewer than the number of weights, to 26.
std::vector<std::unique_ptr<mugrad::Task<double>>> measured(const Matrix<double>& truth) {
  std::vector<std::unique_ptr<mugrad::Task<double>>> tasks;
  for (Index i = 0; i < kTasks; ++i) {
    mugrad::RandomStream random(1, "rows", static_cast<std::uint64_t>(i));
    Matrix<double> x(4 + 2 * i, kParameters);
    std::vector<double> y;
    for (Index j = 0; j < x.rows(); ++j) {
      y.push_back(0.5 * random.normal());
      for (Index k = 0; k < kParameters; ++k) {
        x(j, k) = random.normal();
        y.back() += x(j, k) * truth(k, i);
      }
    }
    tasks.push_back(std::make_unique<Regression>(std::move(x), std::move(y), 0.01));
  }
  return tasks;
}

/// Each task keeps a half and takes a quarter from each neighbour. The matrix is symmetric, so
/// equation (12) holds with r = 1. A smaller one fits into a line:
/// mugrad::transfer_as_given({{0.75, 0.25}, {0.25, 0.75}}).
mugrad::TransferMatrix between_neighbours() {
  Matrix<double> mbar(kTasks, kTasks);
  for (Index i = 0; i < kTasks; ++i) {
    mbar(i, i) = i == 0 || i == kTasks - 1 ? 0.75 : 0.5;
    if (i > 0) mbar(i, i - 1) = 0.25;
    if (i < kTasks - 1) mbar(i, i + 1) = 0.25;
  }
  return mugrad::transfer_as_given(mbar);
}

/// Root mean squared error of the weights at this transfer strength.
double error_at(double sigma, mugrad::TaskSet<double>& tasks, const Matrix<double>& truth,
                mugrad::ThreadPool& pool) {
  const auto matrix = between_neighbours();
  const auto transfer =
      mugrad::scalar_transfer<double>(matrix.mbar, mugrad::Intercepts::transferred, pool);
  Matrix<double> weights(kParameters, kTasks);
  mugrad::find_equilibrium(tasks, *transfer, weights,
                           {.sigma = sigma, .stopping = {.tolerance = 1e-8}}, pool);
  double squares = 0;
  for (Index k = 0; k < kParameters; ++k) {
    for (Index i = 0; i < kTasks; ++i) squares += std::pow(weights(k, i) - truth(k, i), 2);
  }
  return std::sqrt(squares / static_cast<double>(truth.size()));
}

}  // namespace

int main() {
  try {
    mugrad::ThreadPool pool;
    const auto truth = drifting_weights();
    const auto tasks = mugrad::own_tasks(measured(truth), pool);
    const double alone = error_at(0, *tasks, truth, pool);
    const double borrowing = error_at(2, *tasks, truth, pool);
    std::printf("error of the weights: %.3f without transfer, %.3f with transfer from neighbours\n",
                alone, borrowing);
    return borrowing < alone ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
