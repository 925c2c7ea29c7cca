// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"
#include "experiment/mid_ranks.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace mugrad {
namespace {

void check_numbers(const Matrix<double>& values) {
  for (Index set = 0; set < values.rows(); ++set) {
    for (Index method = 0; method < values.cols(); ++method) {
      if (std::isnan(values(set, method))) {
        throw UsageError(
            fmt::format("set {}: the value of method {} is not a number", set, method));
      }
    }
  }
}

/// Squared distances from the rank that all methods would have if they performed equally. Ranks are
/// multiples of one half, so these sums are exact.
struct Scatter {
  double of_sums = 0;   ///< of each method's rank sum
  double of_ranks = 0;  ///< of each rank
};

Scatter scatter(const Matrix<double>& ranked, std::span<const double> sums) {
  const double middle = static_cast<double>(ranked.cols() + 1) / 2;
  const double middle_sum = static_cast<double>(ranked.rows()) * middle;
  Scatter scatter;
  for (const double rank : ranked.values()) scatter.of_ranks += (rank - middle) * (rank - middle);
  for (const double sum : sums) scatter.of_sums += (sum - middle_sum) * (sum - middle_sum);
  return scatter;
}

}  // namespace

Matrix<double> ranks(const Matrix<double>& values, bool larger_is_better) {
  check_numbers(values);
  Matrix<double> ranked(values.rows(), values.cols());
  std::vector<double> costs(as_size(values.cols()));
  for (Index set = 0; set < values.rows(); ++set) {
    std::ranges::transform(values.row(set), costs.begin(),
                           [&](double value) { return larger_is_better ? -value : value; });
    std::ranges::copy(mid_ranks(costs), ranked.row(set).begin());
  }
  return ranked;
}

Friedman friedman(const Matrix<double>& values, bool larger_is_better) {
  if (values.rows() < 2 || values.cols() < 2) {
    throw UsageError(fmt::format("comparing ranks needs at least 2 sets and 2 methods, got {} x {}",
                                 values.rows(), values.cols()));
  }
  const auto sets = static_cast<double>(values.rows());
  const auto freedom = static_cast<double>(values.cols() - 1);
  const auto ranked = ranks(values, larger_is_better);

  Friedman result{.mean_ranks = std::vector<double>(as_size(values.cols()))};
  for (Index set = 0; set < values.rows(); ++set) {
    std::ranges::transform(result.mean_ranks, ranked.row(set), result.mean_ranks.begin(),
                           std::plus{});
  }
  const auto [of_sums, of_ranks] = scatter(ranked, result.mean_ranks);
  for (double& rank : result.mean_ranks) rank /= sets;
  if (of_ranks == 0) return result;

  // Both statistics include the tie correction in of_ranks, which is N k (k^2 - 1) / 12 without
  // ties.
  result.chi_squared = freedom * of_sums / of_ranks;
  result.p = chi_squared_tail(result.chi_squared, freedom);
  const double rest = sets * of_ranks - of_sums;
  if (rest > 0) {
    result.f = (sets - 1) * of_sums / rest;
    result.f_p = fisher_f_tail(result.f, freedom, freedom * (sets - 1));
  } else {
    result.f = std::numeric_limits<double>::infinity();
    result.f_p = 0;
  }
  return result;
}

}  // namespace mugrad
