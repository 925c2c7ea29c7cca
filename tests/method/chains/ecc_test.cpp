// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/method/br.h>
#include <mugrad/method/cc.h>
#include <mugrad/method/ecc.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using testing::random_problem;
using ::testing::ThrowsMessage;

const ChainHead& chains_of(const Model& model) {
  return std::get<ChainHead>(model.contents().head);
}

Dataset some_data() { return random_problem({.rows = 80, .features = 5, .labels = 4}, 3); }

TEST(Ecc, OneMemberWithoutSamplingIsCc) {
  const auto data = some_data();
  for (const bool random_order : {false, true}) {
    const auto ensemble =
        fit(data,
            EccOptions{
                .members = 1, .sampling = Sampling::none, .random_order = random_order, .seed = 4});
    const auto chain = fit(data, CcOptions{.random_order = random_order, .seed = 4});
    EXPECT_EQ(ensemble.contents().weights, chain.contents().weights);
    EXPECT_EQ(ensemble.contents().intercepts, chain.contents().intercepts);
    EXPECT_EQ(ensemble.contents().head, chain.contents().head);
  }
}

TEST(Ecc, OfOneLabelWithoutSamplingIsBr) {
  const auto data = random_problem({.rows = 80, .features = 6, .labels = 1}, 3);
  const auto scores =
      fit(data, EccOptions{.members = 3, .sampling = Sampling::none}).scores(data.x);
  const auto expected = fit(data, BrOptions{}).scores(data.x);
  for (Index row = 0; row < data.rows(); ++row) {
    EXPECT_NEAR(scores(row, 0), expected(row, 0), 1e-12);  // a mean of three
  }
}

TEST(Ecc, SameSeedGivesTheSameModelAndAnotherAnother) {
  const auto data = some_data();
  for (const auto sampling : {Sampling::bootstrap, Sampling::subset, Sampling::none}) {
    EccOptions options{.members = 4, .sampling = sampling, .seed = 1};
    const auto model = fit(data, options);
    EXPECT_EQ(fit(data, options).contents(), model.contents());
    options.seed = 2;
    EXPECT_NE(fit(data, options).contents().weights, model.contents().weights);
  }
}

TEST(Ecc, MembersOfALargerEnsembleAreThoseOfASmallerOneAndMore) {
  const auto data = some_data();
  const auto small = fit(data, EccOptions{.members = 2});
  const auto large = fit(data, EccOptions{.members = 3});
  const auto& few = chains_of(small).order;
  const auto& many = chains_of(large).order;
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  const auto& a = std::get<Matrix<float>>(small.contents().weights);
  const auto& b = std::get<Matrix<float>>(large.contents().weights);
  for (Index k = 0; k < a.rows(); ++k) {
    for (Index column = 0; column < a.cols(); ++column) EXPECT_EQ(a(k, column), b(k, column));
  }
}

TEST(Ecc, LabelVotesGiveSharesOfTheMembers) {
  const auto data = some_data();
  const auto scores = fit(data, EccOptions{.members = 5, .vote = Vote::label}).scores(data.x);
  std::set<double> seen;
  for (const double score : scores.values()) {
    const double votes = 5 * score;
    EXPECT_NEAR(votes, std::round(votes), 1e-12);
    EXPECT_TRUE(votes >= 0 && votes <= 5);
    seen.insert(std::round(votes));
  }
  EXPECT_GT(seen.size(), 2U);
}

/// The bag of a member as a data set of its own.
TEST(Ecc, MemberIsAChainOnCopiesOfItsExamples) {
  const auto data = some_data();
  const auto ensemble = fit(data, EccOptions{.members = 1,
                                             .random_order = false,
                                             .representation = RepresentationKind::none,
                                             .tolerance = 1e-6});
  RandomStream random(1, "bag", 0);
  std::vector<Index> rows;
  for (Index draw = 0; draw < data.rows(); ++draw) {
    rows.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(data.rows()))));
  }
  const auto chain = fit(select_rows(data, rows),
                         CcOptions{.representation = RepresentationKind::none, .tolerance = 1e-6});
  const auto scores = ensemble.scores(data.x);
  const auto expected = chain.scores(data.x);
  for (std::size_t k = 0; k < scores.values().size(); ++k) {
    EXPECT_NEAR(scores.values()[k], expected.values()[k], 1e-4);
  }
}

TEST(Ecc, LabelsOfOneClassInABagAreConstantInThatMember) {
  auto data = some_data();
  // Label 0 has one positive example: more than a third of the bags are without it.
  BinaryMatrix y{.cols = 4, .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : data.y.row(row)) {
      if (label > 0 || row == 0) y.column.push_back(label);
    }
    y.end_row();
  }
  data.y = y;
  constexpr Index kMembers = 12;
  const auto model = fit(data, EccOptions{.members = kMembers});
  EXPECT_TRUE(model.contents().report.constant_labels.empty());
  const auto& weights = std::get<Matrix<float>>(model.contents().weights);
  const auto& history = chains_of(model).history;
  Index constant = 0;
  for (Index member = 0; member < kMembers; ++member) {
    bool has_weights = false;
    for (Index k = 0; k < weights.rows(); ++k) has_weights |= weights(k, 4 * member) != 0;
    if (has_weights) continue;
    ++constant;
    const auto column = static_cast<std::size_t>(4 * member);
    EXPECT_NEAR(model.contents().intercepts[column], std::log(0.5 / 80.5), 1e-12);
    for (Index label = 0; label < 4; ++label) EXPECT_EQ(history(4 * member + label, 0), 0);
  }
  EXPECT_GT(constant, 0);
  EXPECT_LT(constant, kMembers);
}

TEST(Ecc, TrainsOnAlmostNothing) {
  for (const auto sampling : {Sampling::bootstrap, Sampling::subset, Sampling::none}) {
    for (const Index rows : {1, 2, 3}) {
      const auto data = random_problem({.rows = rows, .features = 2, .labels = 3}, 1);
      const auto model = fit(data, EccOptions{.members = 3, .sampling = sampling});
      const auto scores = model.scores(data.x);
      for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
    }
  }
}

/// Stops after a while; remembers how far it was told the work is.
class Impatient final : public Progress {
 public:
  explicit Impatient(double patience) : patience_(patience) {}
  bool update(double share) override {
    last = std::max(last, share);
    return share < patience_;
  }
  double last = 0;

 private:
  double patience_;
};

TEST(Ecc, TellsHowFarItIsAndCanBeInterrupted) {
  const auto data = some_data();
  Impatient patient(2);
  fit(data, EccOptions{.members = 3}, &patient);
  EXPECT_DOUBLE_EQ(patient.last, 1);
  Impatient impatient(0.5);
  EXPECT_THROW(fit(data, EccOptions{.members = 3}, &impatient), InterruptedError);
  EXPECT_LT(impatient.last, 0.9);
}

TEST(Ecc, RefusesOptionsOutOfRange) {
  const auto data = some_data();
  EXPECT_THAT([&] { fit(data, EccOptions{.members = 0}); },
              ThrowsMessage<UsageError>(HasSubstr("members must be in [1, 100000], got 0")));
  EXPECT_THAT([] { sampling_named("all"); },
              ThrowsMessage<UsageError>(
                  HasSubstr("there is no sampling 'all': choose one of bootstrap, subset, none")));
}

TEST(Ecc, WekasRidgeIsOverTheExamplesOfTheBag) {
  const auto data = some_data();
  const auto in_bag = std::llround(0.67 * static_cast<double>(data.rows()));
  EccOptions options{.members = 2, .weka_ridge = true, .sampling = Sampling::subset};
  const auto weka = fit(data, options);
  options.weka_ridge = false;
  options.rho = 2e-8 / static_cast<double>(in_bag);
  EXPECT_EQ(fit(data, options).contents().weights, weka.contents().weights);
}

TEST(Ecc, ModelsThatMemoryDoesNotSufficeForAreRefusedBeforeAnythingIsTrained) {
  Dataset data{.name = "many labels", .x = Matrix<double>(2, 1, 1)};
  data.y.cols = 20'000;
  data.y.end_row();
  data.y.end_row();
  EXPECT_THAT([&] { fit(data, EccOptions{.members = 100'000}); },
              ThrowsMessage<MemoryError>(HasSubstr("of it for the chains")));
  EXPECT_THAT([&] { fit(data, EccOptions{.members = 100'001}); },
              ThrowsMessage<UsageError>(HasSubstr("members must be in [1, 100000]")));
}

}  // namespace
}  // namespace mugrad
