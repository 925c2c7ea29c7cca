// SPDX-License-Identifier: MIT
/// Whether methods differ over data sets: the tests that Demsar (2006) recommends. A set is a row,
/// a method a column. All of it throws UsageError, naming where, for a value that is not a number.
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>
#include <vector>

namespace mugrad {

struct Summary {
  double mean = 0;
  double deviation = 0;  ///< divided by count - 1; NaN for a single value
  Index count = 0;
};

/// Requires: at least one value, all finite. Throws UsageError.
Summary summarise(std::span<const double> values);

/// values(set, method). The ranks of the methods in each set, 1 the best; equals share the mean of
/// their ranks.
Matrix<double> ranks(const Matrix<double>& values, bool larger_is_better);

/// The hypothesis is that all methods are alike.
struct Friedman {
  std::vector<double> mean_ranks = {};  ///< one per method
  double chi_squared = 0;               ///< corrected for equal ranks
  double p = 1;                         ///< by k - 1 degrees of freedom
  double f = 0;    ///< Iman and Davenport's, less timid; infinite where every set ranks alike
  double f_p = 1;  ///< by k - 1 and (k - 1)(N - 1) degrees of freedom
};

/// N sets x k methods; where no set tells any two methods apart, both p are 1.
/// Requires: 2 sets and 2 methods at least. Throws UsageError.
Friedman friedman(const Matrix<double>& values, bool larger_is_better);

/// Any two of the methods differ where their mean ranks do by this much: q sqrt(k (k + 1) / (6 N)),
/// q sqrt(2) the studentized range's. Requires: methods >= 2, sets >= 1, 0 < alpha < 1. Throws
/// UsageError.
double nemenyi_critical_distance(Index methods, Index sets, double alpha);

/// The same for one method, chosen beforehand, against each of the others; requires the same.
double bonferroni_dunn_critical_distance(Index methods, Index sets, double alpha);

/// The longest runs of methods, by ascending mean rank, whose ranks differ by less than the
/// distance. Each method is in at least one; one that differs from all others is a run of its own.
/// Requires: distance > 0. Throws UsageError.
std::vector<std::vector<Index>> groups_alike(std::span<const double> mean_ranks, double distance);

/// Two methods over the same sets; the hypothesis is that neither is better.
struct Wilcoxon {
  Index wins = 0;  ///< sets where the first is better
  Index losses = 0;
  Index ties = 0;        ///< left out of all that follows
  double statistic = 0;  ///< the smaller of the two sums of ranks
  double p = 1;          ///< two-sided; 1 when all are ties
  bool exact = false;    ///< p by counting; otherwise by the normal distribution
};

/// Pairs that are equal are left out. Of up to 50 others p is exact: the share of all ways to give
/// signs to their amounts that are as extreme, equal amounts sharing the mean of their ranks. Of
/// more it is the normal approximation, corrected for equal amounts but not for continuity. Amounts
/// are compared bit by bit: round to whole numbers first where they carry noise.
/// Requires: as many a as b, at least one, all finite. Throws UsageError.
Wilcoxon wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b,
                              bool larger_is_better);

/// Holm's adjusted p of several tests, in the order given: those <= alpha hold together.
/// Requires: 0 <= p <= 1. Throws UsageError.
std::vector<double> holm(std::span<const double> p);

}  // namespace mugrad
