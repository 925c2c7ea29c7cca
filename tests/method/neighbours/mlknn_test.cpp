// SPDX-License-Identifier: MIT
#include "support/label_rows.h"
#include "support/linear_representations.h"
#include "support/random_problem.h"
#include "support/row_factor.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/method/mlknn.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::row_factor;
using ::testing::ThrowsMessage;

const NeighbourHead& head_of(const Model& model) {
  return std::get<NeighbourHead>(model.contents().head);
}

bool has_label(const Dataset& data, Index row, Index label) {
  return std::ranges::binary_search(data.y.row(row), static_cast<LabelId>(label));
}

/// Labels that features tell something of, and features that are often zero.
Dataset some_data(Index rows, Index features, Index labels, std::uint64_t seed) {
  auto data = testing::random_problem(
      {.rows = rows, .features = features, .labels = labels, .feature_probability = 0.5}, seed);
  auto& x = data.x.dense();
  for (Index row = 0; row < rows; ++row) {
    for (const LabelId label : data.y.row(row)) x(row, label % features) += 2;
  }
  return data;
}

/// The rows scaled, all written out.
Matrix<double> scaled(const Features& x, const Representation& representation) {
  const auto transform = feature_transform(representation);
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId k, double value) { rows(i, k) = value; });
    for (Index k = 0; k < x.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double shift = transform.shift.empty() ? 0 : transform.shift[at];
      const double factor = transform.factor.empty() ? 1 : transform.factor[at];
      rows(i, k) = (rows(i, k) * row_factor(transform, x, i, k) - shift) * factor;
    }
  }
  return rows;
}

/// The method as the paper has it: all distances, sorted, one label after the other.
class PlainMlknn {
 public:
  PlainMlknn(const Dataset& data, Index k, double s, RepresentationKind kind)
      : data_(data),
        k_(k),
        s_(s),
        representation_(fit_representation(data.x, kind)),
        rows_(scaled(data.x, representation_)) {}

  double score(const Features& x, Index row, Index label) const {
    const auto n = static_cast<double>(data_.rows());
    std::vector<double> with(static_cast<std::size_t>(k_) + 1, 0), without = with;
    double positives = 0;
    for (Index i = 0; i < data_.rows(); ++i) {
      positives += has_label(data_, i, label) ? 1 : 0;
      ++(has_label(data_, i, label) ? with : without)[votes(rows_.row(i), i, label)];
    }
    const std::size_t j = votes(scaled(x, representation_).row(row), -1, label);
    const double outcomes = static_cast<double>(k_) + 1;
    const double prior = (s_ + positives) / (2 * s_ + n);
    const double given_1 = (s_ + with[j]) / (s_ * outcomes + positives);
    const double given_0 = (s_ + without[j]) / (s_ * outcomes + n - positives);
    return prior * given_1 / (prior * given_1 + (1 - prior) * given_0);
  }

 private:
  /// How many of the k nearest examples but `own` have the label.
  std::size_t votes(std::span<const double> row, Index own, Index label) const {
    std::vector<std::pair<double, Index>> all;
    for (Index i = 0; i < rows_.rows(); ++i) {
      if (i == own) continue;
      double squares = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double difference = row[k] - rows_(i, static_cast<Index>(k));
        squares += difference * difference;
      }
      all.emplace_back(squares, i);
    }
    std::ranges::sort(all);
    std::size_t found = 0;
    for (Index i = 0; i < k_; ++i) {
      found +=
          has_label(data_, all[static_cast<std::size_t>(i)].second, label) ? std::size_t{1} : 0;
    }
    return found;
  }

  const Dataset& data_;
  Index k_;
  double s_;
  Representation representation_;
  Matrix<double> rows_;
};

TEST(Mlknn, GivesWhatIsComputedByHand) {
  // Rows at 0, 1, 2, 10, 11, 13; the label is of the first three and of that at 13. Each one's
  // nearest two others, and how many of them have it:
  //   0: 1, 2 -> 2    1: 0, 2 -> 2    2: 1, 0 -> 2    10: 11, 13 -> 1    11: 10, 13 -> 1
  //   13: 11, 10 -> 0
  Dataset data;
  data.name = "six";
  Matrix<double> x(6, 1);
  std::ranges::copy(std::vector<double>{0, 1, 2, 10, 11, 13}, x.data());
  data.x = x;
  data.y = {.cols = 1, .row_start = {0, 1, 2, 3, 3, 3, 4}, .column = {0, 0, 0, 0}};
  const Model model = fit(data, MlknnOptions{.k = 2, .representation = RepresentationKind::none});
  // P(H1) = (1 + 4) / (2 + 6). Of the 4 with it: one with 0, three with 2; of the 2 without: two
  // with 1. P(E_j|H1) = (1 + c) / (3 + 4), P(E_j|H0) = (1 + c') / (3 + 2).
  const auto bayes = [](double given_1, double given_0) {
    return 5.0 / 8 * given_1 / (5.0 / 8 * given_1 + 3.0 / 8 * given_0);
  };
  const double none = bayes(2.0 / 7, 1.0 / 5), one = bayes(1.0 / 7, 3.0 / 5),
               both = bayes(4.0 / 7, 1.0 / 5);
  const auto& probability = head_of(model).probability;
  ASSERT_EQ(probability.cols(), 3);
  EXPECT_NEAR(probability(0, 0), none, 1e-15);
  EXPECT_NEAR(probability(0, 1), one, 1e-15);
  EXPECT_NEAR(probability(0, 2), both, 1e-15);
  // 1.5 is near 1 and 2; 12 is as far from 11 as from 13; 10.5 is near 10 and 11; 6 is as far from
  // 2 as from 10, and nearer to them than to others.
  Matrix<double> rows(4, 1);
  std::ranges::copy(std::vector<double>{1.5, 12, 10.5, 6}, rows.data());
  const auto scores = model.scores(Features(rows));
  EXPECT_THAT(scores.values(), ElementsAre(probability(0, 2), probability(0, 1), probability(0, 0),
                                           probability(0, 1)));
}

TEST(Mlknn, AnOffsetOfAllRowsChangesNoScore) {
  constexpr Index kRows = 300;
  RandomStream random(12, "offset");
  Matrix<double> near(kRows, 1), far(kRows, 1);
  Dataset data;
  data.name = "offset";
  data.y = {.cols = 1, .row_start = {0}, .column = {}};
  for (Index row = 0; row < kRows; ++row) {
    // Multiples of 2^-20, so that the offset is added without rounding.
    near(row, 0) = std::ldexp(static_cast<double>(random.below(1 << 22)), -20);
    far(row, 0) = near(row, 0) + 1e6;
    if (row % 2 == 0) data.y.column.push_back(0);
    data.y.end_row();
  }
  for (const Index k : {1, 10}) {
    const MlknnOptions options{.k = k, .representation = RepresentationKind::none};
    data.x = near;
    const Model model = fit(data, options);
    const PlainMlknn plain(data, k, 1, RepresentationKind::none);
    data.x = far;
    const Model of_far = fit(data, options);
    EXPECT_EQ(head_of(of_far).probability, head_of(model).probability);
    const auto scores = of_far.scores(Features(far));
    EXPECT_EQ(scores, model.scores(Features(near)));
    for (const Index row : {0, 1, 150, 299}) {
      EXPECT_NEAR(scores(row, 0), plain.score(Features(near), row, 0), 1e-14) << row;
    }
  }
}

TEST(Mlknn, OfExamplesAtTheSameDistanceTheFirstAreNeighbours) {
  // All at distance 1 of the origin, the first two with the label.
  Dataset data;
  data.name = "cross";
  Matrix<double> x(4, 2);
  x(0, 0) = x(1, 1) = 1;
  x(2, 0) = x(3, 1) = -1;
  data.x = x;
  data.y = {.cols = 1, .row_start = {0, 1, 2, 2, 2}, .column = {0, 0}};
  for (const Features& features : {data.x, as_sparse(data.x)}) {
    data.x = features;
    const Model model = fit(data, MlknnOptions{.k = 2, .representation = RepresentationKind::none});
    EXPECT_EQ(model.scores(Features(Matrix<double>(1, 2)))(0, 0), head_of(model).probability(0, 2));
  }
}

TEST(Mlknn, AgreesWithThePlainMethodOnDenseAndSparseDataUnderEveryScaling) {
  auto data = some_data(70, 6, 3, 1);
  const auto asked = some_data(25, 6, 3, 2);
  const Features dense = data.x;
  for (const auto kind : testing::linear_representations()) {
    for (const double s : {1.0, 0.25}) {
      data.x = dense;
      const MlknnOptions options{.k = 7, .laplace = s, .representation = kind};
      const Model of_dense = fit(data, options);
      const PlainMlknn plain(data, 7, s, kind);
      const auto scores = of_dense.scores(asked.x);
      for (Index row = 0; row < asked.rows(); ++row) {
        for (Index label = 0; label < 3; ++label) {
          ASSERT_NEAR(scores(row, label), plain.score(asked.x, row, label), 1e-14)
              << row << ' ' << label;
        }
      }
      EXPECT_EQ(of_dense.scores(as_sparse(asked.x)), scores);
      data.x = as_sparse(dense);
      const Model of_sparse = fit(data, options);
      EXPECT_EQ(head_of(of_sparse).probability, head_of(of_dense).probability);
      EXPECT_EQ(of_sparse.scores(asked.x), scores);
      EXPECT_EQ(of_sparse.scores(as_sparse(asked.x)), scores);
    }
  }
}

TEST(Mlknn, SparseExamplesStaySparseInTheModel) {
  auto data = some_data(40, 20, 3, 3);
  data.x = as_sparse(data.x);
  const Model model = fit(data, {});
  EXPECT_TRUE(head_of(model).rows.is_sparse());
  EXPECT_LE(head_of(model).rows.stored(), data.x.stored());
  EXPECT_EQ(std::get<Matrix<float>>(model.contents().weights).size(), 0);
}

TEST(Mlknn, ThreadsDoNotChangeAByte) {
  for (const bool is_sparse : {false, true}) {
    auto data = some_data(500, 12, 6, 4);
    if (is_sparse) data.x = as_sparse(data.x);
    const std::string one = fit(data, MlknnOptions{.threads = {1}}).to_bytes();
    for (const int threads : {2, 3, 8}) {
      EXPECT_EQ(fit(data, MlknnOptions{.threads = {threads}}).to_bytes(), one);
    }
  }
}

TEST(Mlknn, IsTheSameAfterSavingAndLoading) {
  const testing::TemporaryFolder folder;
  for (const bool is_sparse : {false, true}) {
    auto data = some_data(60, 7, 4, 5);
    if (is_sparse) data.x = as_sparse(data.x);
    const Model model = fit(data, {});
    model.save(folder / "model.mugrad");
    const Model loaded = Model::load(folder / "model.mugrad");
    EXPECT_EQ(loaded.contents(), model.contents());
    EXPECT_EQ(loaded.scores(data.x), model.scores(data.x));
  }
}

TEST(Mlknn, ScoresDependNeitherOnThreadsNorOnTheRowsBeside) {
  const auto data = some_data(300, 8, 4, 6);
  const Model model = fit(data, {});
  const auto all = model.scores(data.x, {1});
  EXPECT_EQ(model.scores(data.x, {3}), all);
  Scorer scorer(model, {2});
  for (const Index block : {1, 7, 65}) {
    Matrix<double> out(block, 4);
    for (Index begin = 0; begin < 300; begin += block) {
      const Index end = std::min<Index>(begin + block, 300);
      scorer.scores(data.x, begin, end, out);
      for (Index row = begin; row < end; ++row) {
        ASSERT_TRUE(std::ranges::equal(out.row(row - begin), all.row(row))) << row;
      }
    }
  }
}

TEST(Mlknn, FarRowsBesideOthersAreScoredAsFarAsTheyAre) {
  const auto data = some_data(100, 3, 2, 7);
  const Model model = fit(data, {});
  auto far = data.x;
  for (const Index row : {3, 50, 99}) {
    for (double& value : far.dense().row(row)) value *= 1e300;
  }
  const auto near_scores = model.scores(data.x), far_scores = model.scores(far);
  for (Index row = 0; row < 100; ++row) {
    if (row == 3 || row == 50 || row == 99) continue;
    EXPECT_TRUE(std::ranges::equal(far_scores.row(row), near_scores.row(row)));
  }
  // Which examples are nearest to a row far away does not depend on how far it is.
  auto less_far = data.x;
  for (const Index row : {3, 50, 99}) {
    for (double& value : less_far.dense().row(row)) value *= 1e12;
  }
  const auto less_far_scores = model.scores(less_far);
  for (const Index row : {3, 50, 99}) {
    EXPECT_TRUE(std::ranges::equal(far_scores.row(row), less_far_scores.row(row))) << row;
  }
}

TEST(Mlknn, ModelsWithOtherThresholdsShareTheExamples) {
  const auto data = some_data(60, 7, 4, 8);
  const Model model = fit(data, {});
  const auto where = [](const Model& of) {
    return head_of(of).rows.visit([](const auto& x) -> const void* {
      if constexpr (requires { x.data; }) {
        return x.data;
      } else {
        return x.value;
      }
    });
  };
  EXPECT_EQ(where(model.with_thresholds({0.3})), where(model));
}

TEST(Mlknn, UsesAllOtherExamplesWhereThereAreFewAndSaysSo) {
  const auto data = some_data(8, 3, 2, 9);
  const Model model = fit(data, {});
  EXPECT_EQ(head_of(model).probability.cols(), 8);
  EXPECT_THAT(model.contents().report.warnings,
              ElementsAre("only 7 neighbours are used, because there are no more other examples; "
                          "10 were requested"));
  EXPECT_EQ(model.contents().options.at("k"), "10");
  const auto as_many = fit(data, MlknnOptions{.k = 7});
  EXPECT_EQ(model.scores(data.x), as_many.scores(data.x));
  EXPECT_THAT(as_many.contents().report.warnings, IsEmpty());
}

TEST(Mlknn, OfOneExampleScoresThePrior) {
  auto data = some_data(1, 3, 2, 9);
  data.y = {.cols = 2, .row_start = {0, 1}, .column = {1}};
  const auto scores = fit(data, {}).scores(Features(Matrix<double>(1, 3, 5.0)));
  EXPECT_THAT(scores.values(), ElementsAre(::testing::DoubleNear(1.0 / 3, 1e-15),
                                           ::testing::DoubleNear(2.0 / 3, 1e-15)));
}

TEST(Mlknn, LabelsOfOneClassScoreNearItAndAreNamed) {
  auto data = some_data(100, 3, 3, 10);
  data.y = {.cols = 3, .row_start = {0}, .column = {}};
  for (Index row = 0; row < 100; ++row) {
    data.y.column.push_back(0);
    if (row % 2 == 0) data.y.column.push_back(1);
    data.y.end_row();
  }
  const Model model = fit(data, {});
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(0, 2));
  ASSERT_EQ(model.contents().report.warnings.size(), 1U);
  EXPECT_THAT(model.contents().report.warnings.front(),
              HasSubstr("are scored by their counts alone"));
  EXPECT_FALSE(model.contents().report.solve);
  const auto scores = model.scores(data.x);
  for (Index row = 0; row < 100; ++row) {
    EXPECT_GT(scores(row, 0), 0.99);
    EXPECT_LT(scores(row, 2), 0.01);
  }
}

TEST(Mlknn, RefusesOptionsOutOfRange) {
  const auto data = some_data(20, 3, 2, 11);
  EXPECT_THAT([&] { fit(data, MlknnOptions{.k = 0}); },
              ThrowsMessage<UsageError>(HasSubstr("must be >= 1, got 0")));
  EXPECT_THAT([&] { fit(data, MlknnOptions{.laplace = 0}); },
              ThrowsMessage<UsageError>(HasSubstr("must be in [1e-06, 1000000], got 0")));
}

}  // namespace
}  // namespace mugrad
