// SPDX-License-Identifier: MIT
#include "support/random_problem.h"
#include "support/waves.h"

#include <mugrad/method/br.h>
#include <mugrad/method/mgd.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::KnownScores;

TEST(Br, IsMgdWithoutTransfer) {
  const auto data = testing::random_problem({.rows = 80, .features = 6, .labels = 5}, 3);
  const auto br = fit(data, BrOptions{.rho = 0.03});
  const auto mgd = fit(data, MgdOptions{.rho = 0.03, .sigma = 0});
  EXPECT_EQ(br.contents().weights, mgd.contents().weights);
  EXPECT_EQ(br.contents().intercepts, mgd.contents().intercepts);
}

TEST(Br, WithWekasRidgeHasHardlyAnyPenalty) {
  const auto data = testing::random_problem({.rows = 80, .features = 3, .labels = 2}, 3);
  const auto weka = fit(data, BrOptions{.weka_ridge = true});
  const auto same = fit(data, MgdOptions{.rho = 2e-8 / 80, .sigma = 0});
  EXPECT_EQ(weka.contents().weights, same.contents().weights);
}

TEST(Br, AgreesWithScikitLearn) {
  const auto data = testing::waves();
  const auto scores =
      fit(data,
          BrOptions{.rho = 0.05, .representation = RepresentationKind::none, .tolerance = 1e-6})
          .scores(data.x);
  // scikit-learn 1.2.1: OneVsRestClassifier(LogisticRegression(C=1/(40*0.05), tol=1e-10)).
  for (const auto& known : {KnownScores{0, {0.771014, 0.721248, 0.557345}},
                            KnownScores{1, {0.869903, 0.892362, 0.136497}},
                            KnownScores{2, {0.763082, 0.176202, 0.648918}},
                            KnownScores{5, {0.196885, 0.151236, 0.175607}},
                            KnownScores{11, {0.640606, 0.774151, 0.289666}},
                            KnownScores{23, {0.759082, 0.167174, 0.663494}},
                            KnownScores{31, {0.770963, 0.811980, 0.138242}}}) {
    for (Index label = 0; label < 3; ++label) {
      EXPECT_NEAR(scores(known.row, label), known.scores[static_cast<std::size_t>(label)], 1e-4)
          << known.row << ' ' << label;
    }
  }
}

}  // namespace
}  // namespace mugrad
