// SPDX-License-Identifier: MIT
// Learns the weights of tasks together with their covariance, which shows similar, opposite and
// unrelated tasks. Of a dozen regressions, 0 to 3 share a direction, 4 to 7 have the opposite one,
// and 8 to 11 share another one.
#include <mugrad/core/random.h>
#include <mugrad/mugrad.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using mugrad::Index;
using mugrad::Matrix;

constexpr Index kTasks = 12;
constexpr Index kGroup = 4;
constexpr Index kParameters = 10;

/// f(w) = |X w - y|^2 / (2 rows).
class Regression final : public mugrad::Task<double> {
 public:
  Regression(Matrix<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)) {}

  Index parameters() const override { return x_.cols(); }

  double evaluate(std::span<const double> w, std::span<double> gradient) override {
    double value = 0;
    for (double& entry : gradient) entry = 0;
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
    return {.least = 0, .most = trace / static_cast<double>(x_.rows())};
  }

 private:
  Matrix<double> x_;
  std::vector<double> y_;
};

/// Each task has twice as many noisy rows as weights.
std::vector<std::unique_ptr<mugrad::Task<double>>> measured() {
  mugrad::RandomStream directions(1, "directions");
  std::vector<double> shared(kParameters);
  std::vector<double> apart(kParameters);
  for (double& entry : shared) entry = directions.normal();
  for (double& entry : apart) entry = directions.normal();

  std::vector<std::unique_ptr<mugrad::Task<double>>> tasks;
  for (Index i = 0; i < kTasks; ++i) {
    mugrad::RandomStream random(1, "rows", static_cast<std::uint64_t>(i));
    const auto& direction = i < 2 * kGroup ? shared : apart;
    const double sign = i / kGroup == 1 ? -1 : 1;
    std::vector<double> truth;
    for (const double entry : direction) truth.push_back(sign * entry + 0.2 * random.normal());
    Matrix<double> x(2 * kParameters, kParameters);
    std::vector<double> y;
    for (Index j = 0; j < x.rows(); ++j) {
      y.push_back(random.normal());
      for (Index k = 0; k < kParameters; ++k) {
        x(j, k) = random.normal();
        y.back() += x(j, k) * truth[static_cast<std::size_t>(k)];
      }
    }
    tasks.push_back(std::make_unique<Regression>(std::move(x), std::move(y)));
  }
  return tasks;
}

/// Whether the sign is correct: positive within a group, negative between the first two groups.
bool as_generated(const Matrix<double>& covariance, Index i, Index j) {
  if (i / kGroup == j / kGroup) return covariance(i, j) > 0;
  if (i < 2 * kGroup && j < 2 * kGroup) return covariance(i, j) < 0;
  return true;
}

}  // namespace

int main() {
  try {
    mugrad::ThreadPool pool;
    const auto tasks = mugrad::own_tasks(measured(), pool);
    Matrix<double> weights(kParameters, kTasks);
    const auto learned = mugrad::learn_task_covariance(*tasks, 0.02, weights);
    const auto& sigma = learned.relation;

    std::printf("correlation of the tasks after %zu rounds, %s by the %s route:\n",
                learned.objective.size() - 1, std::string(mugrad::to_string(learned.stop)).c_str(),
                std::string(mugrad::to_string(learned.solved.route)).c_str());
    bool right = true;
    for (Index i = 0; i < kTasks; ++i) {
      for (Index j = 0; j < kTasks; ++j) {
        std::printf(" %5.2f", sigma(i, j) / std::sqrt(sigma(i, i) * sigma(j, j)));
        right = right && as_generated(sigma, i, j);
      }
      std::printf("\n");
    }
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
