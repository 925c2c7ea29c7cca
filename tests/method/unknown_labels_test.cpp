// SPDX-License-Identifier: MIT
// Training where it is not known of every example whether it has a label.
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::random_problem;
using ::testing::ThrowsMessage;

MgdOptions exact(LossKind loss) {
  return {.loss = loss,
          .rho = 0.05,
          .sigma = 0,
          .representation = RepresentationKind::none,
          .tolerance = 1e-11,
          .precision = Precision::double_precision};
}

const Matrix<double>& weights_of(const Model& model) {
  return std::get<Matrix<double>>(model.contents().weights);
}

/// The same data with some entries unknown, whatever they were.
Dataset with_unknown(const Dataset& data, double share, std::uint64_t seed) {
  Dataset result = data;
  RandomStream random(seed, "unknown");
  result.y = {.cols = data.labels(), .row_start = {0}, .column = {}};
  result.unknown = result.y;
  for (Index row = 0; row < data.rows(); ++row) {
    for (LabelId t = 0; t < data.labels(); ++t) {
      const bool has = std::ranges::binary_search(data.y.row(row), t);
      if (random.uniform() < share) {
        result.unknown.column.push_back(t);
      } else if (has) {
        result.y.column.push_back(t);
      }
    }
    result.y.end_row();
    result.unknown.end_row();
  }
  return result;
}

TEST(FitUnknownLabels, LabelTrainedAloneIsThatOfTheRowsThatKnowIt) {
  const auto data =
      with_unknown(random_problem({.rows = 90, .features = 4, .labels = 3}, 5), 0.3, 1);
  for (const auto loss : {LossKind::logistic, LossKind::squared}) {
    const auto together = fit(data, exact(loss));
    for (LabelId t = 0; t < data.labels(); ++t) {
      std::vector<Index> known;
      for (Index row = 0; row < data.rows(); ++row) {
        if (!std::ranges::binary_search(data.unknown.row(row), t)) known.push_back(row);
      }
      auto part = select_rows(data, known);
      part.unknown = {};
      const auto alone = fit(part, exact(loss));
      for (Index k = 0; k < data.features(); ++k) {
        EXPECT_NEAR(weights_of(together)(k, t), weights_of(alone)(k, t), 1e-8);
      }
      const auto at = static_cast<std::size_t>(t);
      EXPECT_NEAR(together.contents().intercepts[at], alone.contents().intercepts[at], 1e-8);
    }
  }
}

TEST(FitUnknownLabels, TransferConvergesUnderEverySimilarity) {
  const auto data =
      with_unknown(random_problem({.rows = 90, .features = 4, .labels = 3}, 5), 0.3, 1);
  auto options = exact(LossKind::logistic);
  options.sigma = 0.5;
  for (const auto similarity :
       {Similarity::cosine, Similarity::jaccard, Similarity::conditional, Similarity::pearson}) {
    options.similarity = similarity;
    EXPECT_EQ(fit(data, options).contents().report.solve->stop, "converged");
  }
}

TEST(FitUnknownLabels, LabelsAreComparedOverTheExamplesThatKnowBoth) {
  // Label 1 equals label 0 wherever it is known, which is in the first four of six rows.
  const BinaryMatrix y{.cols = 2, .row_start = {0, 2, 4, 4, 4, 5, 6}, .column = {0, 1, 0, 1, 0, 0}};
  const BinaryMatrix unknown{.cols = 2, .row_start = {0, 0, 0, 0, 0, 1, 2}, .column = {1, 1}};
  for (const auto similarity :
       {Similarity::cosine, Similarity::jaccard, Similarity::conditional, Similarity::pearson}) {
    const auto known = label_similarity(y, similarity, &unknown);
    EXPECT_THAT(known.value, ElementsAre(1, 1, 1, 1)) << to_string(similarity);
    EXPECT_NE(label_similarity(y, similarity).value, known.value);
  }
}

TEST(FitUnknownLabels, LabelWithOneKnownClassOrNoneIsConstant) {
  auto data = random_problem({.rows = 4, .features = 2, .labels = 1}, 5);
  data.y = {.cols = 3, .row_start = {0, 2, 4, 5, 5}, .column = {0, 1, 0, 1, 0}};
  data.unknown = {.cols = 3, .row_start = {0, 1, 2, 4, 6}, .column = {2, 2, 1, 2, 1, 2}};
  const auto model = fit(data, exact(LossKind::squared));
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(1, 2));
  EXPECT_NEAR(model.contents().intercepts[1], 2.5 / 3, 1e-12);  // two examples, both positive
  EXPECT_NEAR(model.contents().intercepts[2], 0.5 / 5, 1e-12);  // nothing known: never occurs
}

TEST(FitUnknownLabels, ThatDoNotFitAreRefused) {
  auto data = random_problem({.rows = 4, .features = 2, .labels = 2}, 5);
  data.unknown = {.cols = 3, .row_start = {0, 0, 0, 0, 0}, .column = {}};
  EXPECT_THAT([&] { fit(data); },
              ThrowsMessage<InputError>("the unknown labels of random are 4 x 3, 4 x 2 expected"));
  data.unknown = {.cols = 2, .row_start = {0, 1, 1, 1, 1}, .column = {1}};
  EXPECT_THAT([&] { fit(data); },
              ThrowsMessage<InputError>(
                  HasSubstr("label '1' of example 0 of random is both present and unknown")));
}

TEST(SelectRows, KeepsUnknownLabels) {
  auto data = random_problem({.rows = 3, .features = 2, .labels = 2}, 5);
  data.y = {.cols = 2, .row_start = {0, 0, 1, 1}, .column = {0}};
  data.unknown = {.cols = 2, .row_start = {0, 1, 2, 2}, .column = {0, 1}};
  const auto split = take(data, {.train = {1, 0}, .test = {2}});
  EXPECT_EQ(split.train.unknown,
            (BinaryMatrix{.cols = 2, .row_start = {0, 1, 2}, .column = {1, 0}}));
  EXPECT_EQ(split.test.unknown, BinaryMatrix{});
}

}  // namespace
}  // namespace mugrad
