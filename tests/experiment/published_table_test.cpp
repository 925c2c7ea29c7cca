// SPDX-License-Identifier: MIT
// The means that the paper on MGD prints, and what follows from them.
#include "support/label_rows.h"

#include <mugrad/experiment/statistics.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace mugrad {
namespace {

enum MethodName : Index { mgd, br, rakel, ecc, lift, llsf_dl };

struct Published {
  const char* metric;
  bool larger_is_better;
  std::vector<std::vector<double>> means;  ///< emotions, genbase, cal500, enron, corel5k, bibtex
  std::array<double, 6> mean_ranks;        ///< to two decimals
  double pairs_of_equals;                  ///< in the whole table
  double plain_f;                          ///< not corrected for them, to two decimals
  double chi_squared;                      ///< scipy.stats.friedmanchisquare(*means.T)
  double p;
  std::vector<Index> below_mgd;         ///< by Nemenyi's distance at 0.05
  std::vector<Index> below_as_control;  ///< by Bonferroni and Dunn's
};

const std::vector<Published>& published() {
  static const std::vector<Published> kTables = {
      {"average-precision",
       true,
       {{.815, .783, .782, .774, .734, .710},
        {.994, .985, .575, .992, .535, .619},
        {.516, .323, .143, .437, .502, .470},
        {.704, .384, .168, .554, .696, .635},
        {.326, .132, .119, .232, .289, .271},
        {.596, .199, .323, .441, .566, .593}},
       {1.00, 4.33, 5.17, 3.67, 3.33, 3.50},
       0,
       6.33,
       16.76190476190476,
       0.0049742035444147676,
       {br, rakel},
       {br, rakel}},
      {"macro-f1",
       true,
       {{.668, .619, .629, .622, .432, .123},
        {.652, .915, .661, .904, .026, .006},
        {.191, .155, .060, .158, .045, .143},
        {.226, .206, .112, .252, .141, .195},
        {.051, .148, .162, .208, .024, .040},
        {.336, .136, .202, .256, .218, .210}},
       {2.17, 3.33, 3.83, 1.83, 5.00, 4.83},
       0,
       4.97,
       14.952380952380935,
       0.010567756339679043,
       {},
       {lift}},
      {"micro-f1",
       true,
       {{.679, .632, .644, .636, .506, .199},
        {.966, .974, .740, .926, .219, .038},
        {.481, .331, .073, .357, .316, .459},
        {.602, .356, .182, .457, .560, .548},
        {.291, .120, .132, .091, .077, .249},
        {.413, .145, .211, .352, .378, .397}},
       {1.17, 4.00, 4.33, 3.67, 4.33, 3.50},
       0,
       3.42,
       12.190476190476176,
       0.0322690040118925,
       {rakel, lift},
       {br, rakel, lift}},
      {"coverage",
       false,
       {{.291, .314, .332, .327, .358, .373},
        {.009, .016, .370, .013, .161, .175},
        {.740, .803, .983, .794, .748, .733},
        {.218, .259, .819, .292, .224, .336},
        {.292, .704, .864, .433, .292, .486},
        {.105, .426, .366, .236, .137, .185}},
       {1.25, 4.00, 5.50, 3.33, 2.92, 4.00},
       1,
       6.56,
       17.105263157894733,
       0.004304428979527577,
       {rakel},
       {rakel}},
      {"ranking-loss",
       false,
       {{.152, .180, .194, .194, .233, .254},
        {.001, .005, .361, .002, .138, .161},
        {.176, .243, .604, .222, .181, .198},
        {.075, .308, .587, .119, .077, .130},
        {.136, .368, .573, .192, .123, .238},
        {.056, .274, .222, .134, .075, .097}},
       {1.17, 4.33, 5.42, 3.25, 2.67, 4.17},
       1,
       8.49,
       18.971291866028707,
       0.0019459465136609615,
       {br, rakel},
       {br, rakel, llsf_dl}},
  };
  return kTables;
}

Friedman compared(const Published& table) {
  return friedman(testing::dense_rows(table.means), table.larger_is_better);
}

/// F of a chi-squared for six methods on six sets.
double f_of(double chi_squared) { return 5 * chi_squared / (6 * 5 - chi_squared); }

TEST(PublishedTable, HasTheMeanRanksAndStatisticsOfScipy) {
  for (const auto& table : published()) {
    SCOPED_TRACE(table.metric);
    const auto result = compared(table);
    EXPECT_THAT(result.mean_ranks,
                ::testing::Pointwise(::testing::DoubleNear(0.005), table.mean_ranks));
    EXPECT_NEAR(result.chi_squared, table.chi_squared, 1e-12);
    EXPECT_NEAR(result.p, table.p, 1e-13);
    EXPECT_NEAR(result.f, f_of(table.chi_squared), 1e-12);
    EXPECT_LT(result.f_p, 0.05);
    // One pair of equals makes the sums of 6 x 6 x 35 smaller by 2^3 - 2.
    const double plain = result.chi_squared * (1 - table.pairs_of_equals * 6 / (6 * 6 * 35));
    EXPECT_NEAR(f_of(plain), table.plain_f, 0.005);
  }
}

TEST(PublishedTable, MgdIsApartFromTheseMethodsAlone) {
  const double any_pair = nemenyi_critical_distance(6, 6, 0.05);
  const double control = bonferroni_dunn_critical_distance(6, 6, 0.05);
  EXPECT_NEAR(any_pair, 3.078, 0.0005);
  EXPECT_NEAR(control, 2.782, 0.0005);
  for (const auto& table : published()) {
    SCOPED_TRACE(table.metric);
    const auto mean_ranks = compared(table).mean_ranks;
    const auto below = [&](double distance) {
      std::vector<Index> methods;
      for (std::size_t i = 0; i < mean_ranks.size(); ++i) {
        if (mean_ranks[i] - mean_ranks[mgd] >= distance) methods.push_back(static_cast<Index>(i));
      }
      return methods;
    };
    EXPECT_EQ(below(any_pair), table.below_mgd);
    EXPECT_EQ(below(control), table.below_as_control);
  }
}

TEST(PublishedTable, GroupsOfAveragePrecision) {
  const auto groups =
      groups_alike(compared(published().front()).mean_ranks, nemenyi_critical_distance(6, 6, 0.05));
  const std::vector<std::vector<Index>> expected = {{mgd, lift, llsf_dl, ecc},
                                                    {lift, llsf_dl, ecc, br, rakel}};
  EXPECT_EQ(groups, expected);
}

}  // namespace
}  // namespace mugrad
