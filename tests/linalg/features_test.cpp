// SPDX-License-Identifier: MIT
#include "support/lent_features.h"
#include "support/random_problem.h"

#include <mugrad/linalg/features.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

/// Dense and sparse features whose values are floats.
std::vector<Features> some_features() {
  const auto data = testing::rounded_to_float(testing::random_problem(
      {.rows = 30, .features = 7, .labels = 1, .feature_probability = 0.5}, 5));
  return {data.x, testing::as_sparse(data.x)};
}

std::vector<std::pair<FeatureId, double>> row_of(const Features& x, Index row) {
  std::vector<std::pair<FeatureId, double>> entries;
  x.for_each_in_row(row, [&](FeatureId k, double value) { entries.emplace_back(k, value); });
  return entries;
}

TEST(BorrowedFeatures, ReadAsThoseOwned) {
  for (const Features& owned : some_features()) {
    EXPECT_FALSE(owned.is_borrowed());
    for (const Features& lent : testing::every_loan(owned)) {
      EXPECT_TRUE(lent.is_borrowed());
      EXPECT_EQ(lent.is_sparse(), owned.is_sparse());
      EXPECT_EQ(lent.rows(), owned.rows());
      EXPECT_EQ(lent.cols(), owned.cols());
      EXPECT_EQ(lent.stored(), owned.stored());
      EXPECT_EQ(lent.nonzeros(), owned.nonzeros());
      for (Index row = 0; row < owned.rows(); ++row)
        EXPECT_EQ(row_of(lent, row), row_of(owned, row));
      EXPECT_EQ(lent, owned);
    }
  }
}

TEST(BorrowedFeatures, LieWhereTheyWere) {
  const std::array<float, 4> values = {1, 0, 0, 2};
  const Features x(DenseView<float>{2, 2, values.data()}, nullptr);
  const void* const at = x.visit([](const auto& view) -> const void* {
    if constexpr (requires { view.data; }) return view.data;
    return nullptr;
  });
  EXPECT_EQ(at, values.data());
  EXPECT_EQ(x.nonzeros(), 2);
  EXPECT_EQ(x.stored(), 4);
}

TEST(BorrowedFeatures, KeepTheirOwnerAsLongAsACopyOfThemLives) {
  auto held = std::make_shared<Matrix<double>>(2, 3, 1.0);
  const std::weak_ptr<Matrix<double>> watched = held;
  auto x = std::make_unique<Features>(DenseView<double>{2, 3, held->data()}, held);
  held.reset();
  auto copy = std::make_unique<Features>(*x);
  x.reset();
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(row_of(*copy, 1)[2].second, 1);
  copy.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(BorrowedFeatures, DifferFromOthersInOneEntryOrInTheirKind) {
  const auto both = some_features();
  for (const Features& owned : both) {
    Features changed = owned;
    (owned.is_sparse() ? changed.sparse().value[3] : changed.dense()(1, 1)) += 1;
    EXPECT_NE(testing::lent<float>(owned), changed);
    EXPECT_NE(testing::lent<double>(changed), owned);
  }
  EXPECT_NE(testing::lent<float>(both[0]), both[1]);
}

TEST(BorrowedFeatures, GiveChosenRowsThatNeedNoOwner) {
  const std::vector<Index> rows = {4, 0, 4, 29};
  for (const Features& owned : some_features()) {
    for (const Features& lent : testing::every_loan(owned)) {
      EXPECT_EQ(select_rows(lent, rows), select_rows(owned, rows));
    }
  }
  std::array<float, 2> values = {1, 2};
  const Features x(DenseView<float>{2, 1, values.data()}, nullptr);
  const Features chosen = select_rows(x, std::vector<Index>{1});
  values = {0, 0};
  EXPECT_EQ(row_of(chosen, 0)[0].second, 2);
}

TEST(BorrowedFeatures, HaveAPatternAndCanBeWidenedWhereTheyAreSparse) {
  const auto sparse = some_features()[1];
  for (Features lent : testing::every_loan(sparse)) {
    const auto pattern = lent.pattern();
    EXPECT_EQ(pattern.stored(), sparse.stored());
    for (Index row = 0; row < lent.rows(); ++row) {
      EXPECT_TRUE(std::ranges::equal(pattern.row_columns(row), sparse.sparse().row_columns(row)));
    }
    lent.widen(9);
    EXPECT_EQ(lent.cols(), 9);
    EXPECT_EQ(row_of(lent, 3), row_of(sparse, 3));
  }
}

TEST(BorrowedFeatures, MayHaveNoRowsAndStoredZeros) {
  const Features none(CsrView<float>{0, 5, nullptr, nullptr, nullptr}, nullptr);
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(none.nonzeros(), 0);
  EXPECT_EQ(none, Features(CsrMatrix<double>{.cols = 5}));
  const std::array<Index, 2> start = {0, 2};
  const std::array<std::int32_t, 2> column = {0, 3};
  const std::array<double, 2> value = {0, 4};
  const Features x(CsrView<double>{1, 5, start.data(), column.data(), value.data()}, nullptr);
  EXPECT_EQ(x.stored(), 2);
  EXPECT_EQ(x.nonzeros(), 1);
  EXPECT_THAT(row_of(x, 0), ElementsAre(std::pair(0, 0.0), std::pair(3, 4.0)));
}

}  // namespace
}  // namespace mugrad
