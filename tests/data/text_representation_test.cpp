// SPDX-License-Identifier: MIT
// The representation of texts beside other features.
#include "linalg/scaled_rows.h"
#include "support/random_problem.h"
#include "support/text_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/data/representation.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace mugrad {
namespace {

using ::testing::StartsWith;
using testing::text_problem;
using ::testing::ThrowsMessage;

const RepresentationKind kKinds[] = {RepresentationKind::zscore, RepresentationKind::none,
                                     RepresentationKind::unit, RepresentationKind::tfidf,
                                     RepresentationKind::unit_row};

Representation fitted(const Dataset& data, RepresentationKind kind, double text_weight = 1) {
  return fit_representation(data.x, kind, data.row_weights, data.term_blocks, text_weight);
}

void expect_near(const Matrix<double>& found, const Matrix<double>& expected, double tolerance) {
  for (Index k = 0; k < expected.size(); ++k) {
    ASSERT_NEAR(found.data()[k], expected.data()[k], tolerance) << k;
  }
}

/// Every feature is a term of one text.
Dataset lone_text() {
  const auto counts =
      Matrix<double>{{3, 0, 1}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {3, 2, 0}, {3, 0, 2}};
  return {.x = testing::as_sparse(Features(counts)), .term_blocks = {{.first = 0, .count = 3}}};
}

TEST(TextRepresentation, IsTheOneDefined) {
  auto data = text_problem(60, 3);
  for (const bool is_weighted : {false, true}) {
    if (is_weighted) {
      for (Index i = 0; i < data.rows(); ++i)
        data.row_weights.push_back(0.5 * static_cast<double>(i % 5));
    }
    for (const auto kind : kKinds) {
      const auto transform = feature_transform(fitted(data, kind));
      const auto expected = testing::plain_represented(data.x, data, kind);
      expect_near(transformed_rows(data.x, transform), expected, 1e-12);
      EXPECT_EQ(transformed_rows(Features(transformed_rows(data.x, {})), transform),
                transformed_rows(data.x, transform));
    }
  }
}

/// The rows for other learners, as a matrix.
Matrix<double> dense(const Features& x) { return transformed_rows(x, {}); }

TEST(TextRepresentation, RowsForOtherLearnersAreThoseOfTraining) {
  const auto data = text_problem(60, 3);
  for (const auto kind : kKinds) {
    const auto representation = fitted(data, kind);
    const auto rows = represented(data.x, representation);
    EXPECT_TRUE(rows.is_sparse()) << to_string(kind);
    EXPECT_EQ(rows.nonzeros(), rows.stored());
    EXPECT_EQ(dense(rows), transformed_rows(data.x, feature_transform(representation)));
    const Features table(dense(data.x));
    EXPECT_EQ(represented(table, representation), Features(dense(rows)));
  }
}

TEST(TextRepresentation, OnlyShiftsOfAllFeaturesMakeSparseRowsDense) {
  const auto data = text_problem(60, 3);
  for (const auto kind : kKinds) {
    const auto representation = fit_representation(data.x, kind);
    const auto rows = represented(data.x, representation);
    EXPECT_EQ(rows.is_sparse(), kind != RepresentationKind::zscore) << to_string(kind);
    EXPECT_EQ(dense(rows), transformed_rows(data.x, feature_transform(representation)));
  }
  const Representation gaussian{.kind = RepresentationKind::gaussian,
                                .mean = std::vector<double>(as_size(data.features()), 0)};
  EXPECT_THAT([&] { represented(data.x, gaussian); },
              ThrowsMessage<UsageError>(StartsWith("Gaussian features are made by training")));
}

TEST(TextRepresentation, OfALoneTextIsTfidfWhateverTheKind) {
  const auto data = lone_text();
  const auto tfidf = transformed_rows(
      data.x, feature_transform(fit_representation(data.x, RepresentationKind::tfidf)));
  for (const auto kind : kKinds) {
    const auto representation = fitted(data, kind);
    const auto rows = transformed_rows(data.x, feature_transform(representation));
    if (kind == RepresentationKind::unit_row) {
      // As printed in the user guide of scikit-learn.
      EXPECT_NEAR(rows(0, 0), 0.85151335, 1e-8);
      EXPECT_NEAR(rows(5, 2), 0.77630514, 1e-8);
    } else {
      EXPECT_EQ(rows, tfidf) << to_string(kind);
      EXPECT_DOUBLE_EQ(representation.text_length, std::sqrt(10 * std::sqrt(3.0)));
    }
    EXPECT_TRUE(feature_transform(representation).shift.empty());
  }
}

TEST(TextRepresentation, WithAWeightOfTextsIsTheOneDefined) {
  const auto data = text_problem(60, 3);
  for (const double weight : {0.1, 1.0, 7.5}) {
    for (const auto kind : kKinds) {
      expect_near(transformed_rows(data.x, feature_transform(fitted(data, kind, weight))),
                  testing::plain_represented(data.x, data, kind, weight), 1e-11);
    }
  }
}

TEST(TextRepresentation, AWeightOfTextsIsTheRatioOfShares) {
  const auto data = text_problem(60, 3);
  for (const auto kind : kKinds) {
    const auto one = fitted(data, kind), four = fitted(data, kind, 4);
    // Two texts and the others share 1 + 1 + 1 or 4 + 4 + 1 parts of the same whole.
    EXPECT_NEAR(four.text_length, one.text_length * std::sqrt(4 / 9.0 * 3), 1e-12);
    const bool has_length = has_row_length(kind);
    EXPECT_NEAR(has_length ? four.row_length : four.beside_texts,
                (has_length ? one.row_length : one.beside_texts) * std::sqrt(3 / 9.0), 1e-12);
  }
}

TEST(TextRepresentation, OfTextsAloneDoesNotDependOnTheirWeight) {
  const auto data = lone_text();
  for (const auto kind : kKinds) {
    EXPECT_NEAR(fitted(data, kind, 9).text_length, fitted(data, kind).text_length, 1e-12);
  }
}

/// The mean squared length of the rows in these columns; where `centred`, of the rows about their
/// mean.
double spread(const Matrix<double>& rows, Index first, Index count, bool centred) {
  double sum = 0;
  for (Index k = first; k < first + count; ++k) {
    double mean = 0, squares = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
      mean += rows(i, k) / static_cast<double>(rows.rows());
      squares += rows(i, k) * rows(i, k) / static_cast<double>(rows.rows());
    }
    sum += squares - (centred ? mean * mean : 0);
  }
  return sum;
}

TEST(TextRepresentation, GivesEveryBlockTheSameShare) {
  const auto data = text_problem(60, 3);
  // Sixteen features occur.
  for (const auto kind : {RepresentationKind::zscore, RepresentationKind::none}) {
    const auto rows = transformed_rows(data.x, feature_transform(fitted(data, kind)));
    const double share = 10 * 4 / 3.0;
    EXPECT_NEAR(spread(rows, 11, 5, false), share, share / 4);  // a few rows are empty
    const double others =
        spread(rows, 0, 3, true) + spread(rows, 9, 2, true) + spread(rows, 16, 2, true);
    EXPECT_NEAR(others, share, 1e-9);
  }
}

TEST(TextRepresentation, BlocksThatAreConstantHaveNoShare) {
  const Matrix<double> x{{5, 1, 0, 0}, {5, 0, 2, 0}, {5, 1, 1, 0}};
  const std::vector<TermBlock> texts = {{.first = 1, .count = 2}, {.first = 3, .count = 1}};
  const auto representation =
      fit_representation(testing::as_sparse(Features(x)), RepresentationKind::zscore, {}, texts);
  EXPECT_DOUBLE_EQ(representation.text_length, std::sqrt(10 * std::sqrt(3.0)));
  EXPECT_EQ(representation.beside_texts, 1);
  EXPECT_EQ(feature_transform(representation).factor[0], 0);
}

TEST(TextRepresentation, DeviationsNearTheLimitOfDoubleHaveTheirShare) {
  auto data = text_problem(40, 3);
  const auto expected =
      transformed_rows(data.x, feature_transform(fitted(data, RepresentationKind::none)));
  auto& x = data.x.sparse();
  for (std::size_t k = 0; k < x.value.size(); ++k) {
    const auto column = x.column[k];
    if (column < 3 || column == 9 || column > 15) x.value[k] = std::ldexp(x.value[k], 700);
  }
  expect_near(transformed_rows(data.x, feature_transform(fitted(data, RepresentationKind::none))),
              expected, 1e-9);
}

TEST(TextRepresentation, OfPartsIsThatOfAllRows) {
  const auto data = text_problem(40, 3);
  std::vector<Index> first, second;
  for (Index row = 0; row < 40; ++row) (row % 3 == 0 ? first : second).push_back(row);
  const Dataset parts[] = {select_rows(data, first), select_rows(data, second)};
  EXPECT_EQ(parts[0].term_blocks, data.term_blocks);
  for (const auto kind : kKinds) {
    const auto all = fitted(data, kind);
    // Both parts make the same calls: what each hands in at a call is found by another fit of it.
    std::vector<std::vector<double>> totals;
    for (std::size_t known = 0;; ++known) {
      std::vector<double> sum;
      for (const Dataset& part : parts) {
        std::size_t call = 0;
        const auto hand_in = [&](std::span<double> mine, const auto& both) {
          if (call < totals.size()) std::ranges::copy(totals[call], mine.begin());
          if (call == known) {
            if (sum.empty()) {
              sum.assign(mine.begin(), mine.end());
            } else {
              for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = both(sum[k], mine[k]);
            }
          }
          ++call;
        };
        const auto least = [](double a, double b) { return std::fmin(a, b); };
        const auto largest = [](double a, double b) { return std::fmax(a, b); };
        const auto found = fit_representation(
            part.x, kind, {},
            {.sum = [&](std::span<double> mine) { hand_in(mine, std::plus<>()); },
             .least = [&](std::span<double> mine) { hand_in(mine, least); },
             .largest = [&](std::span<double> mine) { hand_in(mine, largest); }},
            part.term_blocks);
        if (!sum.empty() || call > known) continue;
        EXPECT_EQ(found.term_weight, all.term_weight);
        EXPECT_NEAR(found.text_length, all.text_length, 1e-12);
        EXPECT_NEAR(found.beside_texts, all.beside_texts, 1e-12);
        EXPECT_EQ(found.row_length, all.row_length);
      }
      if (sum.empty()) break;
      totals.push_back(std::move(sum));
    }
    EXPECT_GT(totals.size(), 5);
  }
}

TEST(TextRepresentation, IsNotGaussian) {
  EXPECT_THAT(
      [] { fitted(lone_text(), RepresentationKind::gaussian); },
      ThrowsMessage<UsageError>(StartsWith("the representation 'gaussian' is not for data with "
                                           "texts")));
}

TEST(TextRepresentation, ThatSuitsIsAboutTheOtherFeatures) {
  const auto data = text_problem(40, 3);
  const auto lone = lone_text();
  for (const auto kind : representation_kinds()) {
    const bool is_zscore = kind == RepresentationKind::zscore;
    EXPECT_EQ(suits(kind, data.x, data.term_blocks), is_zscore || kind == RepresentationKind::none);
    EXPECT_EQ(suits(kind, lone.x, lone.term_blocks), is_zscore);
  }
  EXPECT_FALSE(suits(RepresentationKind::none, data.x));
}

}  // namespace
}  // namespace mugrad
