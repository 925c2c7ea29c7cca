// SPDX-License-Identifier: MIT
/// Tests whether methods differ over data sets, as Demsar (2006) recommends. Rows are sets, columns
/// are methods. All functions throw UsageError for a value that is not a number, naming its
/// position.
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>
#include <vector>

namespace mugrad {

struct Summary {
  double mean = 0;
  double deviation = 0;  ///< with n - 1 in the denominator; NaN for a single value
  Index count = 0;
};

/// Requires: at least one value, all finite. Throws UsageError.
Summary summarise(std::span<const double> values);

/// Ranks the methods in each set, 1 is the best; tied methods share the mean of their ranks.
/// `values` is sets x methods.
Matrix<double> ranks(const Matrix<double>& values, bool larger_is_better);

/// Friedman's test. The null hypothesis is that all methods perform equally.
struct Friedman {
  std::vector<double> mean_ranks = {};  ///< one per method
  double chi_squared = 0;               ///< corrected for ties
  double p = 1;                         ///< with k - 1 degrees of freedom
  double f = 0;    ///< Iman and Davenport's, less conservative; infinite if all sets rank alike
  double f_p = 1;  ///< with k - 1 and (k - 1)(N - 1) degrees of freedom
};

/// `values` is N sets x k methods. If all methods tie in every set, both p-values are 1. Requires:
/// at least 2 sets and 2 methods. Throws UsageError.
Friedman friedman(const Matrix<double>& values, bool larger_is_better);

/// Two methods differ if their mean ranks differ by this much: q sqrt(k (k + 1) / (6 N)), where q
/// sqrt(2) is the quantile of the studentized range.
/// Requires: methods >= 2, sets >= 1, 0 < alpha < 1. Throws UsageError.
double nemenyi_critical_distance(Index methods, Index sets, double alpha);

/// The same for one method, chosen beforehand, against each of the others; the same requirements.
double bonferroni_dunn_critical_distance(Index methods, Index sets, double alpha);

/// The maximal groups of methods, by ascending mean rank, whose ranks differ by less than the
/// distance. Each method is in at least one group; a method that differs from all others is its own
/// group.
/// Requires: distance > 0. Throws UsageError.
std::vector<std::vector<Index>> groups_alike(std::span<const double> mean_ranks, double distance);

/// Wilcoxon's signed-rank test of two methods; the null hypothesis is that neither is better.
struct Wilcoxon {
  Index wins = 0;  ///< sets where the first method is better
  Index losses = 0;
  Index ties = 0;        ///< excluded from the following
  double statistic = 0;  ///< the smaller of the two rank sums
  double p = 1;          ///< two-sided; 1 if all are ties
  bool exact = false;    ///< exact p; otherwise by the normal approximation
};

/// Excludes ties. For up to 50 other pairs p is exact: the share of all sign assignments that are
/// at least as extreme, where equal absolute differences share the mean of their ranks. For more
/// pairs p is the normal approximation, corrected for equal differences but not for continuity.
/// Differences are compared bit by bit: round noisy values to whole numbers first.
/// Requires: a and b have the same length >= 1, all values finite. Throws UsageError.
Wilcoxon wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b,
                              bool larger_is_better);

/// Holm's adjusted p-values, in the given order: all hypotheses with a value <= alpha can be
/// rejected together. Requires: 0 <= p <= 1. Throws UsageError.
std::vector<double> holm(std::span<const double> p);

}  // namespace mugrad
