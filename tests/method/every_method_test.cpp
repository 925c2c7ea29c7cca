// SPDX-License-Identifier: MIT
// What must be true of each method there is.
#include "support/lent_features.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/data/generator.h>
#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class EveryMethod : public ::testing::TestWithParam<const Method*> {
 protected:
  static const Method& method() { return *GetParam(); }
};

std::string test_name(const ::testing::TestParamInfo<const Method*>& info) {
  std::string name(info.param->name());
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::ValuesIn(methods().begin(), methods().end()), test_name);

Dataset times(Dataset data, double factor) {
  for (double& value : data.x.dense().values()) value *= factor;
  return data;
}

Dataset some_data() { return testing::random_problem({.rows = 60, .features = 5, .labels = 4}, 3); }

TEST_P(EveryMethod, RefusesValuesTooLargeAndNamesTheData) {
  const auto refused = [&](double factor, const std::string& representation) {
    const auto data = times(some_data(), factor);
    EXPECT_THAT(
        [&] {
          method().fit(data, {{"representation", representation}}, {1}, nullptr);
        },
        ThrowsMessage<InputError>(AllOf(HasSubstr("too large to train on"), HasSubstr(data.name))))
        << factor << ' ' << representation;
  };
  refused(1e30, "none");
  refused(1e200, "none");
  refused(1e305, "zscore");
  refused(1e305, "unit-row");
}

TEST_P(EveryMethod, TrainsOnLargeValuesInRowsOfUnitLength) {
  const auto data = times(some_data(), 1e30);
  const auto scores =
      method().fit(data, {{"representation", "unit-row"}}, {1}, nullptr).scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

/// Whatever is far from all examples is scored as what is far enough: sums and squares that leave
/// the range of double neither make scores NaN nor turn their sign.
TEST_P(EveryMethod, ScoresRowsOfAnyMagnitudeAsFarRows) {
  const auto data = some_data();
  const Model model = method().fit(data, {}, {1}, nullptr);
  double largest = 0;
  for (const double value : data.x.dense().values()) largest = std::max(largest, std::abs(value));
  const auto far = model.scores(times(data, 1e12).x);
  for (const double magnitude : {1e155, 1e200, 1e300, 1.7e308}) {
    const auto rows = times(data, magnitude / largest).x;
    for (const Features& x : {rows, testing::as_sparse(rows)}) {
      const auto scores = model.scores(x);
      for (std::size_t k = 0; k < scores.values().size(); ++k) {
        EXPECT_NEAR(scores.values()[k], far.values()[k], 1e-9) << magnitude;
      }
    }
  }
}

TEST_P(EveryMethod, RefusesTwoLabelsOfOneNameBeforeItTrains) {
  auto data = some_data();
  data.label_names = {"a", "b", "a", "c"};
  EXPECT_THAT(
      [&] { method().fit(data, {}, {1}, nullptr); },
      ThrowsMessage<InputError>(HasSubstr("two labels of " + data.name + " are called 'a'")));
}

TEST_P(EveryMethod, HasScoresInTheRangeThatItsHeadSays) {
  const auto data = generate({.rows = 200, .features = 5, .labels = 4, .seed = 3}).data;
  const Model model = method().fit(data, {}, {1}, nullptr);
  const ScoreRange range = score_range(model.contents().head);
  const auto scores = model.scores(data.x);
  double there = 0, not_there = 0;
  for (Index row = 0; row < data.rows(); ++row) {
    for (Index label = 0; label < data.labels(); ++label) {
      const bool is_there =
          std::ranges::binary_search(data.y.row(row), static_cast<LabelId>(label));
      (is_there ? there : not_there) += scores(row, label);
    }
  }
  there /= static_cast<double>(data.y.ones());
  not_there /= static_cast<double>(data.rows() * data.labels() - data.y.ones());
  EXPECT_GE(not_there, range.low);
  EXPECT_LE(there, range.high);
  EXPECT_LT(not_there, there);
  // The usual threshold is in the midst of it.
  EXPECT_GT(model.contents().thresholds.front(), range.low);
  EXPECT_LT(model.contents().thresholds.front(), range.high);
}

/// Refuses its k-th call, and checks what it is told.
class Refusing final : public Progress {
 public:
  explicit Refusing(int call) : left_(call) {}
  bool update(double share) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1);
    last = share;
    ++calls;
    return --left_ != 0;
  }
  double last = 0;
  int calls = 0;

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  int left_;
};

TEST_P(EveryMethod, LearnsAndScoresTheSameFromFeaturesThatItBorrows) {
  for (const std::uint64_t seed : {3u, 4u}) {
    auto data = testing::rounded_to_float(testing::random_problem(
        {.rows = 50, .features = 6, .labels = 4, .feature_probability = 0.6}, seed));
    for (const Features& owned : {data.x, testing::as_sparse(data.x)}) {
      for (const auto kind : representation_kinds()) {
        const std::string representation(to_string(kind));
        data.x = owned;
        const auto expected =
            method().fit(data, {{"representation", representation}}, {1}, nullptr);
        const auto scores = expected.scores(owned, {1});
        for (const Features& lent : testing::every_loan(owned)) {
          data.x = lent;
          const auto model = method().fit(data, {{"representation", representation}}, {1}, nullptr);
          EXPECT_EQ(model.contents(), expected.contents()) << representation;
          EXPECT_EQ(model.scores(lent, {2}), scores) << representation;
          EXPECT_EQ(model.scores(lent, 7, 40, {1}), expected.scores(owned, 7, 40, {1}))
              << representation;
        }
      }
    }
  }
}

TEST_P(EveryMethod, SharesNeverFallAndTheLastIsAll) {
  for (const int threads : {1, 2, 8}) {
    Refusing patient(-1);
    method().fit(some_data(), {}, {threads}, &patient);
    EXPECT_GE(patient.calls, 2);
    EXPECT_EQ(patient.last, 1);
  }
}

TEST_P(EveryMethod, SaysThatAllIsDoneWhereThereIsNothingToTrain) {
  auto data = some_data();
  data.y = {.cols = 4, .row_start = std::vector<Index>(61, 0), .column = {}};
  Refusing patient(-1);
  method().fit(data, {}, {1}, &patient);
  EXPECT_EQ(patient.last, 1);
  Refusing progress(1);
  EXPECT_THROW(method().fit(data, {}, {1}, &progress), InterruptedError);
}

TEST_P(EveryMethod, StopsAtWhicheverCallTheProgressRefuses) {
  Refusing patient(-1);
  method().fit(some_data(), {}, {1}, &patient);
  for (const int call : {1, 2, 3, patient.calls / 2, patient.calls - 1, patient.calls}) {
    Refusing progress(call);
    EXPECT_THROW(method().fit(some_data(), {}, {1}, &progress), InterruptedError) << call;
    EXPECT_EQ(progress.calls, call);
  }
  for (const int threads : {2, 8}) {
    Refusing progress(2);
    EXPECT_THROW(method().fit(some_data(), {}, {threads}, &progress), InterruptedError);
  }
}

TEST_P(EveryMethod, WarnsOnceWhenItEndsAtTheLimitOfIterations) {
  if (!method().has_option("iterations")) return;
  const auto data = testing::random_problem({.rows = 200, .features = 9, .labels = 4}, 3);
  OptionValues values = {{"iterations", "1"}};
  if (method().name() == "lift") values["ratio"] = "0.5";
  const auto cut = method().fit(data, values, {1}, nullptr).contents().report;
  EXPECT_EQ(cut.solve->stop, "iteration-limit");
  // CLR has regressions of labels alone and of pairs.
  EXPECT_EQ(cut.warnings.size(), method().name() == "clr" ? 2 : 1);
  EXPECT_TRUE(method().fit(data, {}, {1}, nullptr).contents().report.warnings.empty());
  if (!method().has_option("tolerance")) return;
  values["tolerance"] = "0";
  EXPECT_TRUE(method().fit(data, values, {1}, nullptr).contents().report.warnings.empty());
}

}  // namespace
}  // namespace mugrad
