// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/theory/certificate.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad::theory {
namespace {

constexpr double kStepShare = 0.95;

bool is_scalar(const TransferFacts& transfer) { return transfer.stretch == 1; }

/// The limits that apply, and the largest of them.
void find_limits(Certificate& c) {
  const auto& transfer = c.transfer;
  c.limit_theorem1 = step_limit(c.curvature, c.sigma);
  if (is_scalar(transfer)) {
    c.safe_step = c.limit_theorem1;
    if (!transfer.masked) {
      c.limit_intrinsic = step_limit_intrinsic(c.curvature, c.sigma, transfer.least_self_weight);
      c.safe_step = std::max(c.safe_step, *c.limit_intrinsic);
    }
    if (transfer.reversible) {
      c.limit_reversible = step_limit_reversible(c.curvature, c.sigma, transfer.spread);
      c.safe_step = std::max(c.safe_step, *c.limit_reversible);
    }
    return;
  }
  c.limit_elementwise = 2 / ((1 + transfer.stretch) * c.sigma + c.curvature);
  if (transfer.shares_stationary) {
    c.safe_step = c.limit_theorem1;
  } else if (c.sigma * (transfer.stretch - 1) < c.strong_convexity) {
    c.safe_step = *c.limit_elementwise;
  }
}

double block_contraction(const Certificate& c, std::span<const CurvatureRange> tasks) {
  const double alpha = c.step;
  double factor = 0;
  for (const auto& [least, most] : tasks) {
    if (is_scalar(c.transfer)) {
      const double own = 1 - alpha * c.sigma * (1 - c.transfer.least_self_weight);
      factor = std::max({factor, 1 - alpha * least, 1 - 2 * own + alpha * most});
    } else {
      const double stretch = c.transfer.shares_stationary ? 1 : c.transfer.stretch;
      const double gamma = std::max(std::fabs(1 - alpha * c.sigma - alpha * least),
                                    std::fabs(1 - alpha * c.sigma - alpha * most));
      factor = std::max(factor, gamma + alpha * c.sigma * stretch);
    }
  }
  return factor;
}

void find_contraction(Certificate& c, std::span<const CurvatureRange> tasks) {
  // Beyond its own limit the factor of a norm exceeds one and guarantees nothing.
  const double block = block_contraction(c, tasks);
  const bool promised = block <= 1 && !(is_scalar(c.transfer) && c.transfer.masked);
  c.contraction = promised ? block : std::numeric_limits<double>::infinity();
  if (!c.limit_reversible) return;
  c.contraction_weighted = std::max(1 - c.step * c.strong_convexity,
                                    c.step * (c.transfer.spread * c.sigma + c.curvature) - 1);
}

void describe(Certificate& c) {
  auto& say = c.statements;
  const bool safe = c.step < c.safe_step;
  const bool masked = is_scalar(c.transfer) && c.transfer.masked;
  if (c.strong_convexity == 0) {
    say.emplace_back(
        "not every task is known to be strongly convex (a logistic task with a free intercept is "
        "not), so no rate and no distance is promised");
  }
  if (safe && masked && !c.transfer.reversible) {
    say.emplace_back(
        c.strong_convexity > 0
            ? "intercepts are each label's own and the transfer is not reversible: convergence is "
              "promised, but no rate"
            : "intercepts are each label's own and the transfer is not reversible: for tasks that "
              "are not strongly convex convergence is expected, not proven");
  }
  if (safe && c.transfer.reversible) {
    say.emplace_back(
        "the transfer is reversible: MGD descends one convex function, equation (12), and "
        "converges if that has a minimum");
  }
  if (safe && masked && c.transfer.reversible) {
    say.emplace_back(
        "intercepts are each label's own: the promises hold in the weighted norm, not for the "
        "largest task alone");
  }
  if (!is_scalar(c.transfer) && !c.transfer.shares_stationary && c.safe_step == 0) {
    say.push_back(fmt::format(
        "no step is proven safe: the slices of the transfer share no stationary distribution, and "
        "sigma (sqrt(s) - 1) = {:.4g} is not below xi = {:.4g}, equation (10)",
        c.sigma * (c.transfer.stretch - 1), c.strong_convexity));
  }
  if (c.step >= c.safe_step) {
    say.push_back(fmt::format("the step {:.6g} is not below {:.6g}, the largest proven safe",
                              c.step, c.safe_step));
  }
}

}  // namespace

std::optional<Index> Certificate::iterations_to(double tolerance) const {
  const double factor = std::min(contraction, contraction_weighted.value_or(contraction));
  if (!(factor < 1) || !(tolerance > 0)) return std::nullopt;
  if (tolerance >= 1) return 0;
  if (factor <= 0) return 1;
  const double count = std::ceil(std::log(tolerance) / std::log(factor));
  constexpr double kMost = 1e15;  // longer than anyone waits
  return count < kMost ? std::optional<Index>(static_cast<Index>(count)) : std::nullopt;
}

std::optional<double> Certificate::distance_bound(double largest_minimiser) const {
  if (strong_convexity == 0 || !is_scalar(transfer) || transfer.masked) return std::nullopt;
  return 2 * sigma * largest_minimiser / strong_convexity;
}

Certificate certify(std::span<const CurvatureRange> tasks, double sigma,
                    const TransferFacts& transfer, std::optional<double> step) {
  Certificate c{.sigma = sigma,
                .strong_convexity = tasks.empty() ? 0 : std::numeric_limits<double>::infinity(),
                .transfer = transfer};
  for (const auto& [least, most] : tasks) {
    c.strong_convexity = std::min(c.strong_convexity, least);
    c.curvature = std::max(c.curvature, most);
  }
  find_limits(c);
  c.step = step.value_or(kStepShare * c.safe_step);
  if (c.step < c.safe_step) find_contraction(c, tasks);
  describe(c);
  return c;
}

double largest_safe_step(double curvature, double sigma, const TransferMatrix& transfer,
                         Intercepts intercepts) {
  const CurvatureRange range{.least = 0, .most = curvature};
  return certify({&range, 1}, sigma, facts_of(transfer, intercepts)).safe_step;
}

double step_limit(double curvature, double sigma) { return 2 / (2 * sigma + curvature); }

double step_limit_intrinsic(double curvature, double sigma, double least_self_weight) {
  return 2 / (2 * sigma * (1 - least_self_weight) + curvature);
}

double step_limit_reversible(double curvature, double sigma, double spread) {
  return 2 / (spread * sigma + curvature);
}

double potential(TaskSet<double>& tasks, const TransferMatrix& transfer, double sigma,
                 Intercepts intercepts, const Matrix<double>& weights) {
  if (transfer.reversing_weights.empty()) {
    throw UsageError("the transfer is not reversible, so MGD descends no single function");
  }
  Matrix<double> gradient(weights.rows(), weights.cols());
  std::vector<double> values(as_size(weights.cols()));
  tasks.gradient({}, weights, gradient, {.values = values});

  const Index first = intercepts == Intercepts::own ? 1 : 0;
  double phi = 0;
  for (Index i = 0; i < weights.cols(); ++i) {
    const double r = transfer.reversing_weights[as_size(i)];
    phi += r * values[as_size(i)];
    const auto columns = transfer.mbar.row_columns(i);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double distance = 0;
      for (Index k = first; k < weights.rows(); ++k) {
        const double gap = weights(k, i) - weights(k, columns[j]);
        distance += gap * gap;
      }
      phi += sigma / 4 * r * transfer.mbar.row_values(i)[j] * distance;
    }
  }
  return phi;
}

}  // namespace mugrad::theory
