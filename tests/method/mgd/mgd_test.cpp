// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/random_problem.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/data/generator.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::largest_difference;
using testing::random_problem;
using ::testing::ThrowsMessage;

Dataset some_data() { return random_problem({.rows = 80, .features = 6, .labels = 5}, 1); }

MgdOptions exact() {
  return {.sigma = 0.3, .tolerance = 1e-10, .precision = Precision::double_precision};
}

const Matrix<double>& weights_of(const Model& model) {
  return std::get<Matrix<double>>(model.contents().weights);
}

/// The data with its labels in another order, or some of them repeated.
Dataset with_labels(const Dataset& data, const std::vector<LabelId>& order) {
  Dataset result = data;
  result.y = {.cols = std::ssize(order), .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (std::ranges::binary_search(data.y.row(row), order[k])) {
        result.y.column.push_back(static_cast<LabelId>(k));
      }
    }
    result.y.end_row();
  }
  return result;
}

TEST(FitMgd, ScoresAreProbabilitiesThatSeparateLearnableLabels) {
  const auto generated = generate({.rows = 400, .features = 10, .labels = 6, .noise = 0.1});
  const auto model = fit(generated.data);
  const auto scores = model.scores(generated.data.x);
  double right = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    for (LabelId t = 0; t < 6; ++t) {
      ASSERT_GE(scores(i, t), 0);
      ASSERT_LE(scores(i, t), 1);
      const bool truth = std::ranges::binary_search(generated.data.y.row(i), t);
      right += (scores(i, t) >= 0.5) == truth ? 1 : 0;
    }
  }
  EXPECT_GT(right / static_cast<double>(scores.size()), 0.9);
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
}

TEST(FitMgd, SparseAndDenseFeaturesGiveTheSameModel) {
  auto data =
      random_problem({.rows = 90, .features = 8, .labels = 4, .feature_probability = 0.3}, 2);
  auto sparse = data;
  sparse.x = as_sparse(data.x);
  for (const auto kind : representation_kinds()) {
    auto options = exact();
    options.representation = kind;
    const auto a = fit(data, options);
    const auto b = fit(sparse, options);
    EXPECT_LE(largest_difference(weights_of(a), weights_of(b)), 1e-8);
    EXPECT_LE(largest_difference(a.scores(data.x), b.scores(sparse.x)), 1e-9);
    EXPECT_LE(largest_difference(a.scores(data.x), a.scores(sparse.x)), 1e-12);
  }
}

TEST(FitMgd, ScoresAreThoseOfTheStandardisedLinearModel) {
  const auto data = some_data();
  const auto model = fit(data, exact());
  const auto scores = model.scores(data.x);
  const auto& representation = model.contents().representation;
  for (Index i = 0; i < data.rows(); ++i) {
    for (Index t = 0; t < data.labels(); ++t) {
      double z = model.contents().intercepts[static_cast<std::size_t>(t)];
      for (Index k = 0; k < data.features(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        z += weights_of(model)(k, t) * (data.x.dense()(i, k) - representation.mean[at]) /
             representation.deviation[at];
      }
      EXPECT_NEAR(scores(i, t), 1 / (1 + std::exp(-z)), 1e-12);
    }
  }
}

TEST(FitMgd, PermutedLabelsGivePermutedWeights) {
  const auto data = some_data();
  const std::vector<LabelId> order = {3, 0, 4, 1, 2};
  const auto straight = fit(data, exact());
  const auto permuted = fit(with_labels(data, order), exact());
  for (Index k = 0; k < data.features(); ++k) {
    for (std::size_t t = 0; t < order.size(); ++t) {
      EXPECT_NEAR(weights_of(permuted)(k, static_cast<Index>(t)), weights_of(straight)(k, order[t]),
                  1e-8);
    }
  }
}

TEST(FitMgd, DuplicatedLabelsGetEqualWeights) {
  const auto model = fit(with_labels(some_data(), {0, 1, 1, 2}), exact());
  for (Index k = 0; k < model.features(); ++k) {
    EXPECT_NEAR(weights_of(model)(k, 1), weights_of(model)(k, 2), 1e-9);
  }
}

TEST(FitMgd, StrongTransferPullsWeightsTogether) {
  const auto data = some_data();
  const auto spread = [&](double sigma) {
    auto options = exact();
    options.sigma = sigma;
    const auto model = fit(data, options);
    double sum = 0;
    for (Index k = 0; k < data.features(); ++k) {
      const auto row = weights_of(model).row(k);
      const double mean = std::accumulate(row.begin(), row.end(), 0.0) / 5;
      for (const double w : row) sum += (w - mean) * (w - mean);
    }
    return sum;
  };
  EXPECT_LT(spread(1), spread(0));
  EXPECT_LT(spread(1000), 1e-4 * spread(0));
}

TEST(FitMgd, LabelWithOneClassPredictsItsBaseRateAndLeavesTheOthersUnchanged) {
  const auto data = some_data();
  auto wider = data;
  wider.y.cols = 7;  // label 5 without positives, label 6 without negatives
  wider.y.column.clear();
  wider.y.row_start = {0};
  for (Index row = 0; row < data.rows(); ++row) {
    const auto labels = data.y.row(row);
    wider.y.column.insert(wider.y.column.end(), labels.begin(), labels.end());
    wider.y.column.push_back(6);
    wider.y.end_row();
  }
  const auto alone = fit(data, exact());
  const auto model = fit(wider, exact());
  const auto scores = model.scores(data.x);
  const auto expected = alone.scores(data.x);
  for (Index i = 0; i < data.rows(); ++i) {
    EXPECT_NEAR(scores(i, 5), 0.5 / 81, 1e-12);
    EXPECT_NEAR(scores(i, 6), 80.5 / 81, 1e-12);
    for (Index t = 0; t < 5; ++t) EXPECT_EQ(scores(i, t), expected(i, t));
  }
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(5, 6));
  ASSERT_EQ(model.contents().report.warnings.size(), 1U);
  EXPECT_THAT(model.contents().report.warnings[0], HasSubstr("2 of 7 labels have only one class"));
}

TEST(FitMgd, TrainsWhenNoLabelHasBothClasses) {
  auto data = some_data();
  data.y.column.clear();
  data.y.row_start.assign(data.y.row_start.size(), 0);
  const auto model = fit(data);
  EXPECT_NEAR(model.scores(data.x)(0, 0), 0.5 / 81, 1e-12);
}

TEST(FitMgd, SeedsAndThreadsGiveByteIdenticalModels) {
  const auto generated = generate({.rows = 700, .features = 30, .labels = 80, .cardinality = 6});
  auto sparse = generated.data;
  sparse.x = as_sparse(sparse.x);
  const testing::TemporaryFolder folder;
  for (const Dataset* data :
       {static_cast<const Dataset*>(&generated.data), static_cast<const Dataset*>(&sparse)}) {
    for (const auto solver : {SolverKind::accelerated, SolverKind::plain}) {
      std::vector<std::string> files;
      for (const int threads : {1, 2, 4, 1}) {
        fit(*data, {.solver = solver, .start = Start::random, .seed = 5, .threads = {threads}})
            .save(folder / "model");
        files.push_back(testing::read_file(folder / "model"));
      }
      EXPECT_EQ(files[0], files[1]);
      EXPECT_EQ(files[0], files[2]);
      EXPECT_EQ(files[0], files[3]);
    }
  }
}

TEST(FitMgd, StartDoesNotChangeTheEquilibrium) {
  const auto data = some_data();
  const auto base = fit(data, exact());
  for (const auto start : {Start::zero, Start::random}) {
    auto options = exact();
    options.start = start;
    options.start_deviation = 1;
    EXPECT_LE(largest_difference(weights_of(fit(data, options)), weights_of(base)), 1e-7);
  }
}

TEST(FitMgd, SinglePrecisionEndsNearDouble) {
  const auto data = some_data();
  auto options = exact();
  options.tolerance = 1e-5;
  const auto precise = fit(data, options).scores(data.x);
  options.precision = Precision::single_precision;
  EXPECT_LE(largest_difference(fit(data, options).scores(data.x), precise), 1e-4);
}

TEST(FitMgd, WarnsWithBothNumbersWhereRoundingKeepsItFromTheTolerance) {
  const auto data = testing::random_problem({.rows = 60, .features = 6, .labels = 4}, 5);
  for (const double sigma : {0.0, 0.1}) {
    const auto report = fit(data, {.sigma = sigma, .tolerance = 1e-12}).contents().report;
    EXPECT_EQ(report.solve->stop, "stalled");
    ASSERT_EQ(report.warnings.size(), 1U);
    const auto reached =
        fmt::format("{:.2g}", report.solve->residual / report.solve->first_residual);
    EXPECT_THAT(report.warnings.front(),
                ::testing::AllOf(::testing::HasSubstr("fell to " + reached),
                                 ::testing::HasSubstr("1e-12 was requested")));
  }
}

TEST(FitMgd, StepBeyondTheBoundWarnsAndFarBeyondItDiverges) {
  const auto data = some_data();
  const auto safe = fit(data, {.solver = SolverKind::plain});
  EXPECT_TRUE(safe.contents().report.warnings.empty());
  const double limit = safe.contents().report.solve->fixed_step->step / 0.95;
  const auto bold = fit(data, {.solver = SolverKind::plain, .alpha = 1.001 * limit});
  ASSERT_EQ(bold.contents().report.warnings.size(), 1U);
  EXPECT_THAT(bold.contents().report.warnings[0], HasSubstr("the largest step proven safe"));
  // Logistic gradients are bounded: far beyond the limit the iterates swing, they do not explode.
  for (const double factor : {10.0, 100.0, 1000.0}) {
    const MgdOptions wild{.solver = SolverKind::plain,
                          .alpha = factor * limit,
                          .tolerance = 0,
                          .max_iterations = 1000};
    EXPECT_THAT([&] { fit(data, wild); },
                ThrowsMessage<DivergenceError>(HasSubstr("training diverged")))
        << factor;
  }
}

TEST(FitMgd, PaperPresetIsWhatThePaperRan) {
  const auto options = with_paper_preset({.rho = 0.5, .sigma = 0.05});
  EXPECT_EQ(options.rho, 0.5);
  EXPECT_EQ(options.sigma, 0.05);
  EXPECT_EQ(options.alpha, 0.02);
  EXPECT_EQ(options.max_iterations, 1000);
  EXPECT_EQ(options.tolerance, 0);
  EXPECT_EQ(options.solver, SolverKind::plain);
  EXPECT_EQ(options.start, Start::zero);
  EXPECT_EQ(options.representation, RepresentationKind::zscore);
  EXPECT_TRUE(options.transfer_intercept);
  const auto model = fit(some_data(), options);
  EXPECT_EQ(model.contents().report.solve->effort, 1001);
}

TEST(FitMgd, OptionsOutOfRangeAreRefusedWithTheirValue) {
  const auto data = some_data();
  EXPECT_THAT([&] { fit(data, {.rho = -1}); },
              ThrowsMessage<UsageError>("rho must be >= 0, got -1"));
  EXPECT_THAT([&] { fit(data, {.sigma = std::nan("")}); },
              ThrowsMessage<UsageError>("sigma must be >= 0, got nan"));
  EXPECT_THAT([&] { fit(data, {.threshold = 1.5}); },
              ThrowsMessage<UsageError>("threshold must be in [0, 1], got 1.5"));
  EXPECT_THAT([&] { fit(data, {.tolerance = 1}); },
              ThrowsMessage<UsageError>(HasSubstr("tolerance must be in [0, 1)")));
  EXPECT_THAT([&] { fit(data, {.max_iterations = 0}); },
              ThrowsMessage<UsageError>(HasSubstr("must be > 0, got 0")));
  EXPECT_THAT([&] { fit(data, {.alpha = 0.1}); },
              ThrowsMessage<UsageError>(HasSubstr("the step of the plain iteration")));
  EXPECT_THAT(([&] { fit(data, {.solver = SolverKind::plain, .alpha = 0}); }),
              ThrowsMessage<UsageError>("alpha must be > 0, got 0"));
}

TEST(FitMgd, EmptyDataIsRefused) {
  EXPECT_THAT([] { fit(Dataset{.name = "nothing"}); },
              ThrowsMessage<InputError>("nothing has no examples to train on"));
  auto data = some_data();
  data.y = {.cols = 0, .row_start = std::vector<Index>(81, 0), .column = {}};
  EXPECT_THAT([&] { fit(data); }, ThrowsMessage<InputError>("random has no labels to train on"));
}

TEST(FitMgd, ProgressThatStopsLeavesNoModel) {
  class StopAtTheFirstIterate final : public Progress {
   public:
    bool update(double) override { return !has_iterate; }
    void iterate(const Iterate&) override { has_iterate = true; }
    bool has_iterate = false;
  } progress;
  EXPECT_THAT([&] { fit(some_data(), {}, &progress); },
              ThrowsMessage<InterruptedError>(HasSubstr("interrupted after 0 iterations")));
}

TEST(ModelScores, RowsAreScoredAloneAsTogether) {
  const auto data = some_data();
  const auto model = fit(data);
  const auto all = model.scores(data.x);
  const auto some = model.scores(data.x, 10, 13);
  for (Index i = 0; i < 3; ++i) {
    for (Index t = 0; t < 5; ++t) EXPECT_EQ(some(i, t), all(10 + i, t));
  }
  EXPECT_THROW(model.scores(Matrix<double>(2, 3)), UsageError);
}

TEST(FitMgd, SparseFeatureFarFromZeroConvergesInSinglePrecision) {
  auto data = random_problem({.rows = 60, .features = 3, .labels = 3}, 4);
  auto& x = data.x.dense();
  for (Index i = 0; i < x.rows(); ++i) x(i, 1) = 1.7e12 + 1e7 * x(i, 1);  // time stamps
  const auto precise = fit(data, exact()).scores(data.x);
  data.x = as_sparse(data.x);
  const auto model = fit(data, {.sigma = 0.3});
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
  EXPECT_LE(largest_difference(model.scores(data.x), precise), 1e-3);
}

TEST(FitMgd, EqualStrengthsPerLabelAreOneStrength) {
  const auto data = some_data();
  auto options = exact();
  const auto one = fit(data, options);
  options.sigma_per_label.assign(5, options.sigma);
  EXPECT_LE(largest_difference(weights_of(fit(data, options)), weights_of(one)), 1e-8);
  options.sigma_per_label = {0.3, 0, 0.3, 0.3, 0.3};
  const auto mixed = fit(data, options);
  options.sigma_per_label.clear();
  options.sigma = 0;
  const auto alone = fit(data, options);
  for (Index k = 0; k < data.features(); ++k) {
    EXPECT_NEAR(weights_of(mixed)(k, 1), weights_of(alone)(k, 1), 1e-7);
  }
  options.sigma_per_label = {1, 2};
  EXPECT_THAT([&] { fit(data, options); },
              ThrowsMessage<UsageError>("sigma is given for 2 labels, but there are 5"));
}

TEST(FitMgd, NumbersPerLabelAreInTheOptionsOfTheModel) {
  auto options = exact();
  options.sigma_per_label = {0.3, 0, 0.1, 1e-9, 2};
  options.positive_weights = {1, 2, 0.5, 1, 1};
  const auto text = fit(some_data(), options).contents().options;
  EXPECT_EQ(text.at("sigma"), "0.3,0,0.1,1e-09,2");
  EXPECT_EQ(text.at("positive-weight"), "1,2,0.5,1,1");
}

TEST(FitMgd, CanBeStoppedBetweenTheStepsBeforeTheFirstIterate) {
  class Stopper final : public Progress {
   public:
    explicit Stopper(int patience) : left_(patience) {}
    void iterate(const Iterate&) override { has_iterate_ = true; }
    bool update(double) override { return !has_iterate_ && left_-- > 0; }
    bool has_iterate() const { return has_iterate_; }

   private:
    int left_;
    bool has_iterate_ = false;
  };
  for (int patience = 0; patience < 4; ++patience) {
    Stopper stopper(patience);
    EXPECT_THROW(fit(some_data(), MgdOptions{}, &stopper), InterruptedError);
    EXPECT_FALSE(stopper.has_iterate()) << patience;
  }
}

TEST(FitMgd, GivenMatrixOfTheCosineGivesTheSameModel) {
  const auto data = some_data();
  auto options = exact();
  const auto expected = fit(data, options);
  options.transfer = label_transfer(data.y, Similarity::cosine);
  EXPECT_LE(largest_difference(weights_of(fit(data, options)), weights_of(expected)), 1e-8);
  options.transfer = no_transfer(4);
  EXPECT_THAT([&] { fit(data, options); }, ThrowsMessage<UsageError>(HasSubstr("is 4 x 4")));
}

TEST(FitMgd, EverySimilarityWithAndWithoutNeighboursConverges) {
  const auto data = generate({.rows = 150, .features = 12, .labels = 20, .cardinality = 4}).data;
  for (const auto similarity : {Similarity::cosine, Similarity::jaccard, Similarity::conditional,
                                Similarity::pearson, Similarity::identity}) {
    for (const std::optional<Index> neighbours :
         {std::optional<Index>{}, std::optional<Index>{2}}) {
      for (const double sigma : {0.1, 3.0, 30.0}) {
        const auto model =
            fit(data, {.sigma = sigma, .similarity = similarity, .neighbours = neighbours});
        EXPECT_EQ(model.contents().report.solve->stop, "converged")
            << to_string(similarity) << ' ' << sigma;
      }
    }
  }
}

TEST(FitMgd, IdentityTransferEqualsSigmaZero) {
  const auto data = some_data();
  auto options = exact();
  options.similarity = Similarity::identity;
  const auto identity = fit(data, options);
  options.sigma = 0;
  EXPECT_LE(largest_difference(weights_of(identity), weights_of(fit(data, options))), 1e-8);
}

TEST(FitMgd, ModelTrainedWithoutTransferHasNoRelations) {
  const auto relations = fit(some_data(), {.sigma = 0}).contents().relations;
  EXPECT_EQ(relations.nonzeros(), 5);
  for (LabelId i = 0; i < 5; ++i) EXPECT_THAT(relations.row_columns(i), ElementsAre(i));
}

TEST(ModelPredict, LabelsAreThoseThatReachTheThreshold) {
  const auto data = some_data();
  const auto model = fit(data, {.threshold = 0.4});
  const auto scores = model.scores(data.x);
  const auto predicted = model.predict(data.x);
  for (Index i = 0; i < data.rows(); ++i) {
    for (LabelId t = 0; t < 5; ++t) {
      EXPECT_EQ(std::ranges::binary_search(predicted.row(i), t), scores(i, t) >= 0.4);
    }
  }
}

}  // namespace
}  // namespace mugrad
