// SPDX-License-Identifier: MIT
#include "support/random_problem.h"
#include "support/row_factor.h"

#include <mugrad/core/error.h>
#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::row_factor;

Features from_rows(const std::vector<std::vector<double>>& rows) {
  Matrix<double> x(std::ssize(rows), std::ssize(rows.front()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < x.cols(); ++k) {
      x(i, k) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    }
  }
  return x;
}

TEST(Representation, MeanAndDeviationAreThoseOfThePopulation) {
  const auto x = from_rows({{1, 0}, {3, 0}, {5, 6}});
  for (const auto& features : {x, as_sparse(x)}) {
    const auto representation = fit_representation(features, RepresentationKind::zscore);
    EXPECT_DOUBLE_EQ(representation.mean[0], 3);
    EXPECT_DOUBLE_EQ(representation.mean[1], 2);
    EXPECT_DOUBLE_EQ(representation.deviation[0], std::sqrt(8.0 / 3));
    EXPECT_DOUBLE_EQ(representation.deviation[1], std::sqrt(8.0));
  }
}

TEST(Representation, ConstantFeatureHasNoDeviationHoweverItsMeanRounds) {
  // The mean of 0.1 ten times is not 0.1 in floating point.
  const auto x = from_rows(std::vector<std::vector<double>>(10, {0.1, 0}));
  const auto representation = fit_representation(x, RepresentationKind::zscore);
  EXPECT_EQ(representation.deviation[0], 0);
  EXPECT_EQ(representation.deviation[1], 0);
  EXPECT_EQ(feature_transform(representation).factor[0], 0);
}

TEST(Representation, OfPartsIsThatOfAllRows) {
  const auto x = from_rows({{1, 0, 2}, {3, 0, 2}, {5, 6, 2}, {0, 1, 2}});
  const auto all = fit_representation(x, RepresentationKind::zscore);
  // What each of two parts hands in, in the order of the calls; each then gets what both make.
  const Features parts[] = {from_rows({{1, 0, 2}, {3, 0, 2}}), from_rows({{5, 6, 2}, {0, 1, 2}})};
  std::vector<std::vector<double>> handed_in;
  for (const bool is_first : {true, false}) {
    std::size_t call = 0;
    const auto combine = [&](auto&& both) {
      return [&, both](std::span<double> mine) {
        if (is_first) {
          handed_in.emplace_back(mine.begin(), mine.end());
          return;
        }
        const auto& other = handed_in[call++];
        for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = both(mine[k], other[k]);
      };
    };
    // The first part must know the means before it hands in deviations: they are given to it.
    std::size_t sums = 0;
    const auto add = combine(std::plus<>());
    const OtherRows others{.sum =
                               [&](std::span<double> mine) {
                                 add(mine);
                                 if (is_first && sums++ == 3) {
                                   for (std::size_t k = 0; k < mine.size(); ++k)
                                     mine[k] = 2 * all.mean[k];
                                 }
                               },
                           .least = combine([](double a, double b) { return std::fmin(a, b); }),
                           .largest = combine([](double a, double b) { return std::fmax(a, b); })};
    const auto representation =
        fit_representation(parts[is_first ? 0 : 1], RepresentationKind::zscore, {}, others);
    if (is_first) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_DOUBLE_EQ(representation.mean[k], all.mean[k]);
      EXPECT_DOUBLE_EQ(representation.deviation[k], all.deviation[k]);
    }
  }
}

TEST(Representation, LargeOffsetDoesNotSpoilTheDeviation) {
  const auto x = from_rows({{1e9 + 1}, {1e9 + 2}, {1e9 + 3}});
  EXPECT_NEAR(fit_representation(x, RepresentationKind::zscore).deviation[0], std::sqrt(2.0 / 3),
              1e-6);
}

TEST(Representation, TinyAndHugeValuesHaveTheDeviationThatTheyHaveInOtherUnits) {
  const auto ordinary = from_rows({{1, 0, 0.5}, {3, 0, -2}, {5, 6, 7}});
  for (const auto& unscaled : {ordinary, as_sparse(ordinary)}) {
    const auto expected = fit_representation(unscaled, RepresentationKind::zscore);
    for (const int exponent : {-1030, -538, -401, -399, 399, 401, 498, 1015}) {
      auto x = unscaled;
      const std::span<double> values =
          x.is_sparse() ? std::span(x.sparse().value) : x.dense().values();
      for (double& value : values) value = std::ldexp(value, exponent);
      const auto found = fit_representation(x, RepresentationKind::zscore);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(found.mean[k], std::ldexp(expected.mean[k], exponent)) << exponent;
        EXPECT_EQ(found.deviation[k], std::ldexp(expected.deviation[k], exponent)) << exponent;
      }
    }
  }
}

TEST(Representation, FeatureOfTinyValuesIsNotConstant) {
  const auto x = from_rows({{1e-162}, {3e-162}, {2e-162}});
  const auto representation = fit_representation(x, RepresentationKind::zscore);
  EXPECT_NEAR(representation.deviation[0] / 1e-162, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_NEAR(feature_transform(representation).factor[0] * 1e-162, std::sqrt(1.5), 1e-12);
}

TEST(Representation, UnitRowsHaveLengthOneAndZeroRowsStay) {
  const auto x = from_rows({{3, 4}, {0, 0}, {1e200, 0}});
  const auto factor = [&](double length, Index row) {
    return row_factor({.parts = ScaledParts::whole(length)}, x, row, 1);
  };
  EXPECT_DOUBLE_EQ(factor(1, 0), 0.2);
  EXPECT_DOUBLE_EQ(factor(1, 1), 1);
  EXPECT_DOUBLE_EQ(factor(1, 2), 1e-200);
  EXPECT_DOUBLE_EQ(factor(3, 0), 0.6);
}

/// The rows in this representation, all written out.
Matrix<double> represented_rows(const Features& x, const Representation& representation) {
  const auto transform = feature_transform(representation);
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId k, double value) {
      const double factor = transform.factor.empty() ? 1 : transform.factor[as_size(k)];
      rows(i, k) = value * factor * row_factor(transform, x, i, k);
    });
  }
  return rows;
}

TEST(Representation, UnitRowsAreAsLongAsTheFeaturesThatOccurDemand) {
  // The last feature never occurs, the second only as a zero.
  const auto x = from_rows({{3, 0, 4, 0}, {1, 0, 0, 0}});
  for (const auto& features : {x, as_sparse(x)}) {
    const auto unit = fit_representation(features, RepresentationKind::unit);
    EXPECT_DOUBLE_EQ(unit.row_length, std::sqrt(10 * std::sqrt(2.0)));
    const auto rows = represented_rows(features, unit);
    EXPECT_DOUBLE_EQ(rows(0, 0), 0.6 * unit.row_length);
    EXPECT_DOUBLE_EQ(rows(0, 2), 0.8 * unit.row_length);
    EXPECT_DOUBLE_EQ(rows(1, 0), unit.row_length);
  }
}

TEST(Representation, TfidfIsThatOfScikitLearnButForTheLengthOfRows) {
  // TfidfTransformer().fit(counts): idf_ = ln((1 + n) / (1 + df)) + 1, rows of length one.
  const auto counts = from_rows({{3, 0, 1}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {3, 2, 0}, {3, 0, 2}});
  for (const auto& features : {counts, as_sparse(counts)}) {
    const auto tfidf = fit_representation(features, RepresentationKind::tfidf);
    EXPECT_DOUBLE_EQ(tfidf.term_weight[0], 1);
    EXPECT_DOUBLE_EQ(tfidf.term_weight[1], std::log(7.0 / 2) + 1);
    EXPECT_DOUBLE_EQ(tfidf.term_weight[2], std::log(7.0 / 3) + 1);
    // As printed in the user guide of scikit-learn.
    const double expected[][3] = {
        {0.85151335, 0, 0.52433293}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0.55422893, 0.83236428, 0},
        {0.63035731, 0, 0.77630514}};
    const auto rows = represented_rows(features, tfidf);
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index k = 0; k < rows.cols(); ++k) {
        EXPECT_NEAR(rows(i, k) / tfidf.row_length, expected[i][k], 1e-8);
      }
    }
  }
}

TEST(Representation, AnExampleOfWeightTwoCountsTwiceInDocumentFrequencies) {
  const auto twice = from_rows({{1, 0}, {1, 0}, {1, 2}});
  const auto once = from_rows({{1, 0}, {1, 2}});
  const std::vector<double> weights = {2, 1};
  EXPECT_EQ(fit_representation(once, RepresentationKind::tfidf, weights).term_weight,
            fit_representation(twice, RepresentationKind::tfidf).term_weight);
}

TEST(Representation, NamesGoBothWaysAndUnknownOnesListTheKnown) {
  for (const auto kind : representation_kinds()) {
    EXPECT_EQ(representation_named(to_string(kind)), kind);
  }
  try {
    representation_named("minmax");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "there is no representation 'minmax': choose one of zscore, none, unit, tfidf, unit-row, "
        "gaussian");
  }
}

}  // namespace
}  // namespace mugrad
