// SPDX-License-Identifier: MIT
#include "objective/logistic.h"
#include "support/every_target.h"
#include "support/linear_representations.h"
#include "support/random_problem.h"
#include "support/row_factor.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::random_problem;
using testing::random_weights;
using testing::row_factor;

/// A model of random weights, with the scaling fitted to x.
template <class Real>
Model some_model(const Features& x, Index labels, RepresentationKind kind,
                 Link link = Link::logistic) {
  const auto numbers = random_weights(x.cols() + 1, labels, 7);
  Matrix<Real> weights(x.cols(), labels);
  std::vector<double> intercepts;
  for (Index t = 0; t < labels; ++t) {
    intercepts.push_back(numbers(x.cols(), t));
    for (Index k = 0; k < x.cols(); ++k) weights(k, t) = static_cast<Real>(numbers(k, t));
  }
  CsrMatrix<double> relations{.cols = labels};
  for (Index t = 0; t < labels; ++t) relations.end_row();
  return Model({.representation = fit_representation(x, kind),
                .weights = weights,
                .intercepts = intercepts,
                .head = IndependentHead{link},
                .thresholds = std::vector<double>(static_cast<std::size_t>(labels), 0.5),
                .relations = relations});
}

/// z = b + sum over all features, in double, of scaled value times weight.
double plain_score(const Model& model, const Features& x, Index row, Index label) {
  const auto& contents = model.contents();
  const auto transform = feature_transform(contents.representation);
  std::vector<double> values(static_cast<std::size_t>(x.cols()), 0);
  x.for_each_in_row(
      row, [&](FeatureId k, double value) { values[static_cast<std::size_t>(k)] = value; });
  double z = contents.intercepts[static_cast<std::size_t>(label)];
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double shift = transform.shift.empty() ? 0 : transform.shift[k];
    const double factor = transform.factor.empty() ? 1 : transform.factor[k];
    const double weight = std::visit(
        [&](const auto& w) { return static_cast<double>(w(static_cast<Index>(k), label)); },
        contents.weights);
    z += (values[k] * row_factor(transform, x, row, as_index(k)) - shift) * factor * weight;
  }
  return std::get<IndependentHead>(contents.head).link == Link::logistic
             ? LogisticLoss::probability(z)
             : z;
}

Matrix<double> scores_of(const Model& model, const Features& x, int threads) {
  return model.scores(x, Threads{threads});
}

template <class Real>
class ScorerOf : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ScorerOf, Reals);

TYPED_TEST(ScorerOf, GivesThePlainScoresForEveryScalingLinkAndStorage) {
  const auto data =
      random_problem({.rows = 70, .features = 9, .labels = 2, .feature_probability = 0.4}, 1);
  for (const auto kind : testing::linear_representations()) {
    for (const auto link : {Link::logistic, Link::identity}) {
      for (const Features& x : {data.x, as_sparse(data.x)}) {
        const auto model = some_model<TypeParam>(x, 5, kind, link);
        const auto scores = scores_of(model, x, 2);
        for (Index i = 0; i < x.rows(); ++i) {
          for (Index t = 0; t < 5; ++t) {
            // Nine products in double, in another order.
            ASSERT_NEAR(scores(i, t), plain_score(model, x, i, t), 1e-13) << i << ' ' << t;
          }
        }
      }
    }
  }
}

TYPED_TEST(ScorerOf, GivesThePlainScoresForEveryNumberOfLabelsOnEveryTarget) {
  const auto data =
      random_problem({.rows = 5, .features = 6, .labels = 2, .feature_probability = 0.5}, 2);
  testing::for_each_target([&] {
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      for (Index labels = 1; labels <= 140; ++labels) {
        const auto model = some_model<TypeParam>(x, labels, RepresentationKind::zscore);
        const auto scores = scores_of(model, x, 1);
        for (Index t = 0; t < labels; ++t) {
          ASSERT_NEAR(scores(3, t), plain_score(model, x, 3, t), 1e-13) << t << " of " << labels;
        }
      }
    }
  });
}

TYPED_TEST(ScorerOf, GivesTheSameBitsForAnyThreadsAndBlocks) {
  const auto data =
      random_problem({.rows = 1100, .features = 30, .labels = 2, .feature_probability = 0.3}, 3);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    const auto model = some_model<TypeParam>(x, 75, RepresentationKind::zscore);
    const auto all = scores_of(model, x, 1);
    EXPECT_EQ(scores_of(model, x, 3), all);
    Scorer scorer(model, {2});
    for (const Index block : {1, 7, 256, 257, 600}) {
      Matrix<double> out(block, model.labels());
      for (Index begin = 0; begin < x.rows(); begin += block) {
        const Index end = std::min(begin + block, x.rows());
        scorer.scores(x, begin, end, out);
        for (Index i = begin; i < end; ++i) {
          ASSERT_TRUE(std::ranges::equal(out.row(i - begin), all.row(i))) << i << " of " << block;
        }
      }
    }
  }
}

TEST(Scorer, TakesDenseAndSparseRowsByTurns) {
  const auto data =
      random_problem({.rows = 40, .features = 8, .labels = 2, .feature_probability = 0.3}, 4);
  const auto sparse = as_sparse(data.x);
  const auto model = some_model<float>(data.x, 11, RepresentationKind::zscore);
  Scorer scorer(model);
  Matrix<double> a(40, 11);
  Matrix<double> b(40, 11);
  scorer.scores(data.x, 0, 40, a);
  scorer.scores(sparse, 0, 40, b);
  for (Index k = 0; k < a.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    ASSERT_NEAR(a.values()[at], b.values()[at], 1e-13);
  }
  scorer.scores(data.x, 0, 40, b);
  EXPECT_EQ(a, b);
}

TEST(Scorer, TakesRowsWithoutEntriesAndNoRowsAtAll) {
  CsrMatrix<double> x{.cols = 3};
  x.end_row();
  const auto model = some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::none);
  const auto scores = model.scores(x);
  for (Index t = 0; t < 4; ++t) EXPECT_NEAR(scores(0, t), plain_score(model, x, 0, t), 1e-15);
  EXPECT_EQ(model.scores(CsrMatrix<double>{.cols = 3}).rows(), 0);
}

/// The labels whose scores, all of them stored, reach the thresholds.
BinaryMatrix plain_prediction(const Model& model, const Features& x) {
  const auto scores = model.scores(x);
  BinaryMatrix found{.cols = model.labels()};
  for (Index i = 0; i < scores.rows(); ++i) {
    for (LabelId t = 0; t < model.labels(); ++t) {
      const double threshold = model.contents().thresholds[static_cast<std::size_t>(t)];
      if (scores(i, t) >= threshold) found.column.push_back(t);
    }
    found.end_row();
  }
  return found;
}

/// With other thresholds, so that about half of the labels are found.
Model with_own_thresholds(const Model& model) {
  auto contents = model.contents();
  for (std::size_t t = 0; t < contents.thresholds.size(); ++t) {
    contents.thresholds[t] = 0.3 + 0.4 * std::fmod(0.618 * static_cast<double>(t), 1.0);
  }
  return Model(std::move(contents));
}

TEST(Scorer, PredictsWhatTheScoresSayForEveryNumberOfLabelsOnEveryTarget) {
  const auto data =
      random_problem({.rows = 9, .features = 6, .labels = 2, .feature_probability = 0.5}, 2);
  testing::for_each_target([&] {
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      for (Index labels = 1; labels <= 140; ++labels) {
        const auto model =
            with_own_thresholds(some_model<float>(x, labels, RepresentationKind::zscore));
        ASSERT_EQ(model.predict(x, {1}), plain_prediction(model, x)) << labels;
      }
    }
  });
}

TEST(Scorer, PredictsTheSameForAnyThreadsAndBlocks) {
  const auto data =
      random_problem({.rows = 1100, .features = 30, .labels = 2, .feature_probability = 0.3}, 3);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    const auto model = with_own_thresholds(some_model<float>(x, 75, RepresentationKind::zscore));
    const auto all = plain_prediction(model, x);
    ASSERT_GT(all.ones(), 1100);
    for (const int threads : {1, 2, 3}) EXPECT_EQ(model.predict(x, {threads}), all);
    Scorer scorer(model, {2});
    for (const Index block : {1, 7, 256, 257, 600}) {
      for (Index begin = 0; begin < x.rows(); begin += block) {
        const Index end = std::min(begin + block, x.rows());
        const auto found = scorer.predict(x, begin, end);
        ASSERT_EQ(found.cols, 75);
        ASSERT_EQ(found.rows(), end - begin);
        for (Index i = begin; i < end; ++i) {
          ASSERT_TRUE(std::ranges::equal(found.row(i - begin), all.row(i))) << i << " of " << block;
        }
      }
    }
  }
}

TEST(Scorer, PredictsALabelWhoseScoreIsItsThreshold) {
  const auto data = random_problem({.rows = 40, .features = 5, .labels = 2}, 6);
  auto contents = some_model<double>(data.x, 70, RepresentationKind::zscore).contents();
  const auto scores = Model(contents).scores(data.x);
  for (Index t = 0; t < 70; ++t) contents.thresholds[static_cast<std::size_t>(t)] = scores(17, t);
  EXPECT_EQ(Model(contents).predict(data.x).row(17).size(), 70U);
  for (double& threshold : contents.thresholds) threshold = std::nextafter(threshold, 1.0);
  EXPECT_TRUE(Model(contents).predict(data.x).row(17).empty());
}

TEST(Scorer, PredictsByTheScoresOfAHead) {
  const auto data = random_problem({.rows = 600, .features = 6, .labels = 2}, 7);
  auto contents = some_model<float>(data.x, 6, RepresentationKind::zscore).contents();
  contents.head = PairHead{.first = {0, 0, 1}, .second = {1, 2, 2}};
  contents.thresholds = {0.3, 0.5, 0.6};
  contents.relations =
      some_model<float>(data.x, 3, RepresentationKind::zscore).contents().relations;
  const Model model(std::move(contents));
  const auto found = model.predict(data.x, {2});
  EXPECT_GT(found.ones(), 0);
  EXPECT_EQ(found, plain_prediction(model, data.x));
}

TEST(Scorer, PredictsNothingOfNoRows) {
  const auto model = some_model<float>(Matrix<double>(2, 1, 1), 3, RepresentationKind::none);
  EXPECT_EQ(model.predict(Matrix<double>(0, 1)), BinaryMatrix{.cols = 3});
}

TEST(Scorer, OfLinearScoresPredictsNothing) {
  const auto model = some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::none);
  EXPECT_THROW(Scorer::linear(model).predict(Matrix<double>(2, 3), 0, 2), UsageError);
}

TEST(Scorer, OutlivesItsModelAndServesCopiesOfIt) {
  const auto data = random_problem({.rows = 30, .features = 6, .labels = 2}, 8);
  std::optional model = some_model<float>(data.x, 9, RepresentationKind::zscore);
  const auto scores = Model(model->contents()).scores(data.x);
  const Model copy = *model;
  Scorer scorer(*model);
  model.reset();
  Matrix<double> out(30, 9);
  scorer.scores(data.x, 0, 30, out);
  EXPECT_EQ(out, scores);
  EXPECT_EQ(copy.scores(data.x), scores);
}

TEST(Scorer, IsMadeByManyThreadsOfOneModelAtOnce) {
  const auto data = random_problem({.rows = 30, .features = 6, .labels = 2}, 9);
  const auto model = some_model<float>(data.x, 90, RepresentationKind::zscore);
  const auto scores = Model(model.contents()).scores(data.x);
  std::vector<Matrix<double>> found(4);
  std::vector<std::jthread> threads;
  for (auto& one : found) threads.emplace_back([&] { one = model.scores(data.x, {2}); });
  threads.clear();
  for (const auto& one : found) EXPECT_EQ(one, scores);
}

TEST(Scorer, OfLinearScoresLeavesTheLinkOut) {
  const auto data = random_problem({.rows = 30, .features = 6, .labels = 2}, 5);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    const auto logistic = some_model<float>(x, 4, RepresentationKind::zscore, Link::logistic);
    const auto identity = some_model<float>(x, 4, RepresentationKind::zscore, Link::identity);
    EXPECT_EQ(logistic.linear_scores(x), identity.scores(x));
    EXPECT_EQ(identity.linear_scores(x), identity.scores(x));
  }
}

TEST(Scorer, RefusesLinearScoresOfLabelsThatHaveNone) {
  auto contents =
      some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::none).contents();
  contents.head = PairHead{};
  const Model model(std::move(contents));
  EXPECT_THROW(model.linear_scores(Matrix<double>(2, 3, 1)), UsageError);
}

/// Three entries in each of 1500 rows, which `change` then spoils.
CsrMatrix<double> spoiled(const std::function<void(CsrMatrix<double>&)>& change) {
  CsrMatrix<double> x{.cols = 3};
  for (Index row = 0; row < 1500; ++row) {
    for (std::int32_t k = 0; k < 3; ++k) x.column.push_back(k);
    x.end_row();
  }
  x.value.resize(x.column.size(), 1.0);
  change(x);
  return x;
}

std::string refusal(const Model& model, const Features& x) {
  try {
    model.predict(x, {3});
    return "none";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Scorer, RefusesEntriesOutsideOfTheColumns) {
  const auto model = some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::zscore);
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t column : {3, 4, -1, kMost, -kMost, -kMost - 1}) {
    for (const std::size_t at : {0U, 17U, 1499U}) {
      const auto x = spoiled([&](auto& matrix) { matrix.column[at] = column; });
      EXPECT_EQ(
          refusal(model, x),
          fmt::format("row {} has an entry in column {}, but there are 3 columns", at / 3, column));
    }
  }
}

TEST(Scorer, RefusesColumnsThatDoNotAscend) {
  const auto model = some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::unit_row);
  const auto twice = spoiled([](auto& matrix) { matrix.column[1001] = 1; });
  EXPECT_EQ(refusal(model, twice), "the columns of row 333 are not ascending");
  const auto exchanged =
      spoiled([](auto& matrix) { std::swap(matrix.column[600], matrix.column[601]); });
  EXPECT_EQ(refusal(model, exchanged), "the columns of row 200 are not ascending");
}

TEST(Scorer, NamesTheFirstRowThatIsWrongHoweverThreadsTakeTurns) {
  const auto model = some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::zscore);
  const auto x = spoiled([](auto& matrix) {
    for (std::size_t row = 300; row < 1500; row += 100) matrix.column[3 * row] = 5;
  });
  for (int repeat = 0; repeat < 200; ++repeat) {
    ASSERT_EQ(refusal(model, x), "row 300 has an entry in column 5, but there are 3 columns");
  }
}

TEST(Scorer, TakesSomeRowsOfAMatrixThatIsPartOfAnother) {
  const auto data =
      random_problem({.rows = 90, .features = 8, .labels = 2, .feature_probability = 0.3}, 4);
  const auto whole = as_sparse(data.x);
  const auto& matrix = whole.sparse();
  const auto model = with_own_thresholds(some_model<float>(whole, 70, RepresentationKind::zscore));
  const auto all = model.predict(whole);
  constexpr Index kFirst = 11;
  const Features part{CsrView<double>{.rows = 60,
                                      .cols = 8,
                                      .row_start = matrix.row_start.data() + kFirst,
                                      .column = matrix.column.data(),
                                      .value = matrix.value.data()},
                      nullptr};
  const auto found = Scorer(model).predict(part, 5, 60);
  ASSERT_EQ(found.rows(), 55);
  for (Index i = 0; i < 55; ++i) {
    ASSERT_TRUE(std::ranges::equal(found.row(i), all.row(kFirst + 5 + i))) << i;
  }
}

TEST(Scorer, UsesNoMoreThreadsThanHaveRows) {
  const Matrix<double> wide(3000, 70, 1);
  const auto sparse = CsrMatrix<double>{.cols = 70};
  const auto model = some_model<float>(wide, 4, RepresentationKind::none);
  const auto used = [&](const Features& x, Index rows) {
    return Scorer::threads_for(model, x, rows, {8}).count;
  };
  EXPECT_EQ(used(wide, 0), 1);
  EXPECT_EQ(used(wide, 256), 1);
  EXPECT_EQ(used(wide, 257), 2);
  EXPECT_EQ(used(wide, 3000), 8);
  EXPECT_EQ(used(sparse, 256), 1);
  EXPECT_EQ(used(sparse, 600), 3);
}

TEST(Scorer, RefusesRowsOfAnotherWidth) {
  const auto model = some_model<float>(Matrix<double>(2, 3, 1), 4, RepresentationKind::none);
  Scorer scorer(model);
  Matrix<double> out(2, 4);
  EXPECT_THROW(scorer.scores(Matrix<double>(2, 4), 0, 2, out), UsageError);
  EXPECT_EQ(scorer.features(), 3);
  EXPECT_EQ(scorer.labels(), 4);
}

}  // namespace
}  // namespace mugrad
