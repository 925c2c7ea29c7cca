// SPDX-License-Identifier: MIT
// Training that goes on with new examples alone.
#include "support/random_problem.h"
#include "support/text_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Dataset part(const Dataset& data, Index begin, Index end) {
  std::vector<Index> rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  return select_rows(data, rows);
}

Matrix<double> weights_of(const Model& model) {
  const auto& contents = model.contents();
  Matrix<double> result(model.features() + 1, model.labels());
  std::ranges::copy(contents.intercepts, result.row(0).begin());
  std::visit([&](const auto& of_all) { std::ranges::copy(of_all.values(), result.row(0).end()); },
             contents.weights);
  return result;
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  EXPECT_EQ(a.rows(), b.rows());
  EXPECT_EQ(a.cols(), b.cols());
  double largest = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    largest = std::max(largest, std::fabs(a.values()[k] - b.values()[k]));
  }
  return largest;
}

Model trained(const Dataset& data, const OptionValues& values, const TrainingExtras& extras = {}) {
  const Method& method = method_named(values.contains("sigma") ? "mgd" : "br");
  return with_curvature(method.fit(data, values, extras, {1}, nullptr), data, {1});
}

/// Features that depend on each other, and labels that depend on them.
Dataset correlated(Index rows, std::uint64_t seed) {
  constexpr Index kFeatures = 12, kLabels = 4;
  RandomStream random(seed, "correlated");
  const Matrix<double> mixing = testing::random_weights(kFeatures, 3, 1, 1);
  const Matrix<double> truth = testing::random_weights(kFeatures, kLabels, 2, 0.5);
  Dataset data{.name = "correlated", .x = Matrix<double>(rows, kFeatures), .y = {.cols = kLabels}};
  for (Index i = 0; i < rows; ++i) {
    const double common[] = {random.normal(), random.normal(), random.normal()};
    const auto x = data.x.dense().row(i);
    for (Index k = 0; k < kFeatures; ++k) {
      const auto at = static_cast<std::size_t>(k);
      x[at] = 0.4 * random.normal() + 1;
      for (Index j = 0; j < 3; ++j) x[at] += mixing(k, j) * common[j];
    }
    for (LabelId t = 0; t < kLabels; ++t) {
      double z = -1;
      for (Index k = 0; k < kFeatures; ++k) z += truth(k, t) * x[static_cast<std::size_t>(k)];
      if (random.uniform() < 1 / (1 + std::exp(-z))) data.y.column.push_back(t);
    }
    data.y.end_row();
  }
  return data;
}

/// Examples of +-size_k e_k alone: no feature meets another one or the intercept.
Dataset diagonal_design(Index features, Index copies, std::uint64_t seed) {
  RandomStream random(seed, "diagonal");
  Dataset data{.name = "diagonal", .x = Matrix<double>(2 * features * copies, features)};
  data.y.cols = 2;
  for (Index i = 0; i < data.rows(); ++i) {
    const Index k = i / 2 % features;
    data.x.dense()(i, k) = (i % 2 == 0 ? 1 : -1) * (1 + 0.5 * static_cast<double>(k));
    for (LabelId t = 0; t < 2; ++t) {
      if (random.uniform() < 0.4) data.y.column.push_back(t);
    }
    data.y.end_row();
  }
  return data;
}

const OptionValues kExact = {{"loss", "squared"},        {"sigma", "0"},
                             {"precision", "double"},    {"tolerance", "1e-13"},
                             {"representation", "none"}, {"rho", "0.05"}};

TEST(Continuation, OfSquaredLossesOnADiagonalDesignIsTrainingOnAllRows) {
  const auto data = diagonal_design(6, 5, 3);
  const Index cut = 48;  // whole groups of + and -
  const Model before = trained(part(data, 0, cut), kExact);
  const Model further = continue_training(before, part(data, cut, data.rows()));
  const Model whole = trained(data, kExact);
  EXPECT_LT(largest_difference(weights_of(further), weights_of(whole)), 1e-8);
  EXPECT_GT(largest_difference(weights_of(before), weights_of(whole)), 1e-3);
  // The closed form of a feature: sum x y / (sum x^2 + n rho).
  const auto n = static_cast<double>(data.rows());
  double xy = 0, xx = 0;
  for (Index i = 0; i < data.rows(); ++i) {
    const double x = data.x.dense()(i, 2);
    xx += x * x;
    if (std::ranges::count(data.y.row(i), 1) > 0) xy += x;
  }
  EXPECT_NEAR(weights_of(further)(3, 1), xy / (xx + 0.05 * n), 1e-8);
}

TEST(Continuation, OfSquaredLossesWithAGivenTransferIsTrainingOnAllRows) {
  const auto data = correlated(200, 5);
  OptionValues values = kExact;
  values["sigma"] = "0.7";
  Matrix<double> similarity(4, 4, 0.2);
  for (Index i = 0; i < 4; ++i) similarity(i, i) = 1;
  const TrainingExtras extras{.transfer = transfer_from(similarity)};
  const Model before = trained(part(data, 0, 150), values, extras);
  const Model further = continue_training(before, part(data, 150, 200));
  // The curvature is kept in single precision.
  EXPECT_LT(largest_difference(weights_of(further), weights_of(trained(data, values, extras))),
            1e-6);
  EXPECT_EQ(further.contents().relations, before.contents().relations);
}

TEST(Continuation, OfLogisticLossesIsNearlyTrainingOnAllRows) {
  const auto data = correlated(1500, 6);
  for (const char* const sigma : {"0", "0.1"}) {
    const OptionValues values = {{"sigma", sigma}};
    const Model whole = trained(data, values);
    Model further = trained(part(data, 0, 500), values);
    const double at_first = largest_difference(further.scores(data.x), whole.scores(data.x));
    for (Index begin = 500; begin < 1500; begin += 50) {
      further = continue_training(further, part(data, begin, begin + 50));
    }
    EXPECT_EQ(further.contents().report.rows, 1500);
    EXPECT_EQ(further.contents().report.new_rows, 50);
    EXPECT_THAT(further.contents().curvature.examples, ElementsAre(1500, 1500, 1500, 1500));
    EXPECT_LT(largest_difference(further.scores(data.x), whole.scores(data.x)),
              std::min(0.1, at_first / 2));
  }
}

TEST(Continuation, RowsOfTinyWeightLeaveTheModelAsItIs) {
  const auto data = correlated(400, 7);
  const Model before = trained(part(data, 0, 300), {{"sigma", "0.1"}});
  auto later = part(data, 300, 400);
  later.row_weights.assign(100, 1e-9);
  const Model further = continue_training(before, later);
  EXPECT_EQ(further.contents().weights, before.contents().weights);
  EXPECT_EQ(further.contents().intercepts, before.contents().intercepts);
}

TEST(Continuation, DoesNotDependOnTheNumberOfThreads) {
  const auto data = correlated(400, 8);
  const Model before = trained(part(data, 0, 300), {{"sigma", "0.1"}});
  const auto later = part(data, 300, 400);
  EXPECT_EQ(continue_training(before, later, {.threads = {1}}).to_bytes(),
            continue_training(before, later, {.threads = {3}}).to_bytes());
}

/// The data with labels of these names only.
Dataset with_labels(const Dataset& data, const std::vector<LabelId>& labels,
                    std::vector<std::string> names) {
  Dataset result = data;
  result.y = {.cols = std::ssize(labels)};
  for (Index i = 0; i < data.rows(); ++i) {
    for (std::size_t t = 0; t < labels.size(); ++t) {
      if (std::ranges::count(data.y.row(i), labels[t]) > 0) {
        result.y.column.push_back(static_cast<LabelId>(t));
      }
    }
    result.y.end_row();
  }
  result.label_names = std::move(names);
  return result;
}

TEST(Continuation, LabelsThatTheNewRowsLackKeepTheirWeights) {
  const auto data = correlated(600, 9);
  for (const char* const sigma : {"0", "0.2"}) {
    const auto first = with_labels(part(data, 0, 400), {0, 1, 2}, {"a", "b", "c"});
    const auto later = with_labels(part(data, 400, 600), {2, 0}, {"c", "a"});
    const Model before = trained(first, {{"sigma", sigma}});
    const Model further = continue_training(before, later);
    EXPECT_THAT(further.contents().label_names, ElementsAre("a", "b", "c"));
    const auto was = weights_of(before);
    const auto is = weights_of(further);
    double moved = 0;
    for (Index k = 0; k < was.rows(); ++k) {
      EXPECT_EQ(is(k, 1), was(k, 1));
      moved = std::max(moved, std::fabs(is(k, 0) - was(k, 0)));
    }
    EXPECT_GT(moved, 1e-4);
    EXPECT_THAT(further.contents().curvature.examples, ElementsAre(600, 400, 600));
    EXPECT_EQ(further.contents().thresholds, before.contents().thresholds);
    EXPECT_TRUE(further.contents().report.constant_labels.empty());
  }
}

TEST(Continuation, LabelWhoseColumnIsZeroHasNegativeExamples) {
  const auto data = correlated(600, 10);
  auto later = with_labels(part(data, 400, 600), {0, 1}, {"a", "b"});
  std::erase(later.y.column, 1);
  later.y.row_start = {0};
  for (Index i = 400; i < 600; ++i) {
    const bool has_it = std::ranges::count(data.y.row(i), 0) > 0;
    later.y.row_start.push_back(later.y.row_start.back() + (has_it ? 1 : 0));
  }
  const auto first = with_labels(part(data, 0, 400), {0, 1}, {"a", "b"});
  const Model before = trained(first, {{"rho", "0.01"}});
  const Model further = continue_training(before, later);
  const auto mean = [&](const Model& model) {
    const auto scores = model.scores(data.x);
    double sum = 0;
    for (Index i = 0; i < 600; ++i) sum += scores(i, 1);
    return sum / 600;
  };
  EXPECT_LT(mean(further), 0.9 * mean(before));
}

TEST(Continuation, NewLabelsAreTrainedOnTheNewRowsAlone) {
  const auto data = correlated(600, 11);
  const OptionValues values = {
      {"representation", "none"}, {"precision", "double"}, {"tolerance", "1e-8"}};
  const auto first = with_labels(part(data, 0, 400), {0, 1}, {"b", "c"});
  const auto later = with_labels(part(data, 400, 600), {3, 0, 1}, {"a", "b", "c"});
  const Model further = continue_training(trained(first, values), later);
  EXPECT_THAT(further.contents().label_names, ElementsAre("b", "c", "a"));
  EXPECT_THAT(further.contents().curvature.examples, ElementsAre(600, 600, 200));
  const auto alone = weights_of(trained(later, values));
  const auto found = weights_of(further);
  for (Index k = 0; k < found.rows(); ++k) EXPECT_NEAR(found(k, 2), alone(k, 0), 1e-5);
}

TEST(Continuation, NewLabelsBorrowFromOldOnes) {
  const auto data = correlated(600, 12);
  const auto first = with_labels(part(data, 0, 400), {0, 1}, {"b", "c"});
  const auto later = with_labels(part(data, 400, 600), {0, 1, 3}, {"b", "c", "d"});
  const Model before = trained(first, {{"sigma", "0.1"}});
  const auto relations = continue_training(before, later).contents().relations;
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 2; ++j)
      EXPECT_EQ(relations.at(i, j), before.contents().relations.at(i, j));
    EXPECT_EQ(relations.at(i, 2), 0);
  }
  EXPECT_GT(relations.at(2, 0), 0);
}

TEST(Continuation, TermsThatTheNewRowsLackKeepTheirWeights) {
  auto data = testing::text_problem(300, 4);
  const TermBlock text = data.term_blocks[0];
  const Index lacking = text.first + 1;
  auto later = part(data, 200, 300);
  auto x = later.x.sparse();
  for (std::size_t k = 0; k < x.column.size(); ++k) {
    if (x.column[k] == lacking) x.value[k] = 0;
  }
  later.x = x;
  for (const char* const sigma : {"0", "0.2"}) {
    const Model before = trained(part(data, 0, 200), {{"sigma", sigma}});
    const Model further = continue_training(before, later);
    const auto was = weights_of(before);
    const auto is = weights_of(further);
    for (Index t = 0; t < was.cols(); ++t) EXPECT_EQ(is(lacking + 1, t), was(lacking + 1, t));
    EXPECT_GT(largest_difference(was, is), 1e-4);
    EXPECT_EQ(further.contents().representation, before.contents().representation);
  }
}

/// Names for all features, and the columns of a table from which they come: numbers and texts.
void describe_columns(Dataset& data) {
  Index k = 0;
  const auto add_numbers = [&](Index end) {
    for (; k < end; ++k) {
      data.feature_names.push_back("f" + std::to_string(100 + k));
      data.encoding.columns.push_back({.name = data.feature_names.back(), .first = k, .width = 1});
    }
  };
  for (const TermBlock& text : data.term_blocks) {
    add_numbers(text.first);
    const std::string name = "text" + std::to_string(text.first);
    data.encoding.columns.push_back(
        {.name = name, .role = ColumnRole::text, .first = k, .width = text.count});
    for (; k < text.first + text.count; ++k) {
      data.feature_names.push_back(name + ":t" + std::to_string(100 + k));
    }
  }
  add_numbers(data.features());
}

TEST(Continuation, NewTermsMoveTheWeightsOfOldOnesWithTheirNames) {
  auto data = testing::text_problem(300, 6);
  describe_columns(data);
  const Index added = data.term_blocks[0].first + 2;
  // The first rows know nothing of that term.
  Dataset first = part(data, 0, 200);
  CsrMatrix<double> narrow{.cols = data.features() - 1};
  for (Index i = 0; i < first.rows(); ++i) {
    first.x.for_each_in_row(i, [&](FeatureId k, double value) {
      if (k == added || value == 0) return;
      narrow.column.push_back(k > added ? k - 1 : k);
      narrow.value.push_back(value);
    });
    narrow.end_row();
  }
  first.x = narrow;
  first.feature_names.erase(first.feature_names.begin() + added);
  first.term_blocks[0].count -= 1;
  for (std::size_t b = 1; b < first.term_blocks.size(); ++b) first.term_blocks[b].first -= 1;
  for (EncodedColumn& column : first.encoding.columns) {
    if (column.first <= added && added < column.first + column.width) --column.width;
    if (column.first > added) --column.first;
  }
  Model before = trained(first, {{"sigma", "0.1"}});
  auto later = part(data, 200, 300);
  const Model further = continue_training(before, later);
  EXPECT_EQ(further.contents().feature_names, data.feature_names);
  EXPECT_EQ(further.contents().encoding, data.encoding);
  EXPECT_EQ(further.contents().representation.term_blocks, data.term_blocks);
  later.row_weights.assign(100, 1e-9);
  const auto is = weights_of(continue_training(before, later));
  const auto was = weights_of(before);
  for (Index k = 0; k < was.rows(); ++k) {
    const Index to = k > added ? k + 1 : k;
    for (Index t = 0; t < was.cols(); ++t) EXPECT_EQ(is(to, t), was(k, t));
  }
}

TEST(Continuation, RefitChangesStatisticsButHardlyScores) {
  const auto data = correlated(400, 13);
  const Model before = trained(part(data, 0, 300), {{"sigma", "0.1"}});
  auto later = part(data, 300, 400);
  const Model refitted = continue_training(before, later, {.refit = true});
  const auto of_all = fit_representation(data.x, RepresentationKind::zscore);
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_NEAR(refitted.contents().representation.mean[k], of_all.mean[k], 1e-12);
    EXPECT_NEAR(refitted.contents().representation.deviation[k], of_all.deviation[k], 1e-12);
  }
  const Model kept = continue_training(before, later);
  EXPECT_EQ(kept.contents().representation, before.contents().representation);
  EXPECT_LT(largest_difference(refitted.scores(data.x), kept.scores(data.x)), 0.01);
}

TEST(Continuation, WithoutACurvatureItIsEstimatedAndSaysSo) {
  const auto data = correlated(600, 14);
  const Model before =
      method_named("mgd").fit(part(data, 0, 450), {{"sigma", "0.1"}}, {1}, nullptr);
  std::vector<std::string> notes;
  const Model further =
      continue_training(before, part(data, 450, 600),
                        {.note = [&](const std::string& note) { notes.push_back(note); }});
  EXPECT_THAT(notes, Contains(HasSubstr("estimated from the 150 new rows")));
  EXPECT_THAT(further.contents().curvature.examples, ElementsAre(600, 600, 600, 600));
  const Model whole = trained(data, {{"sigma", "0.1"}});
  EXPECT_LT(largest_difference(further.scores(data.x), whole.scores(data.x)), 0.1);
}

TEST(Continuation, KeepsCalibrationAndThresholdsOfOldLabels) {
  const auto data = correlated(600, 15);
  const auto first = with_labels(part(data, 0, 400), {0, 1}, {"a", "b"});
  const auto later = with_labels(part(data, 400, 600), {0, 1, 2}, {"a", "b", "c"});
  for (const bool is_logistic : {true, false}) {
    const OptionValues values = {{"sigma", "0.1"}, {"loss", is_logistic ? "logistic" : "squared"}};
    const Model before = trained(first, values)
                             .with_calibration({.slope = {2, 3}, .shift = {0.5, -1}})
                             .with_thresholds({0.3, 0.6});
    const Model further = continue_training(before, later);
    const auto& contents = further.contents();
    EXPECT_THAT(contents.thresholds, ElementsAre(0.3, 0.6, 0.5));
    EXPECT_THAT(contents.calibration.slope, ElementsAre(2, 3, is_logistic ? 1 : 4));
    EXPECT_THAT(contents.calibration.shift, ElementsAre(0.5, -1, is_logistic ? 0 : -2));
    const auto scores = further.scores(data.x);
    EXPECT_GT(std::ranges::max(scores.values()), 0.5);
  }
}

TEST(Continuation, RefusesWhatItCannotContinue) {
  const auto data = correlated(200, 16);
  const auto refuses = [&](const Model& model, const Continuation& how, const char* why) {
    EXPECT_THAT([&] { continue_training(model, data, how); },
                ThrowsMessage<UsageError>(HasSubstr(why)));
  };
  refuses(method_named("cc").fit(data, {}, {1}, nullptr), {}, "those of mgd and br can");
  refuses(method_named("br").fit(data, {{"representation", "gaussian"}, {"centres", "20"}}, {1},
                                 nullptr),
          {}, "its features are similarities to examples of its training");
  const Model model = trained(data, {{"sigma", "0.1"}});
  refuses(model, {.values = {{"rho", "0.2"}}}, "was trained with rho 0.01");
  EXPECT_NO_THROW(continue_training(model, data, {.values = {{"rho", "1e-2"}}}));
  EXPECT_NO_THROW(continue_training(model, data, {.values = {{"tolerance", "0.001"}}}));
  EXPECT_THAT(
      [&] {
        method_named("cc").fit(data, {}, {.prior = std::make_shared<Model>(model)}, {}, nullptr);
      },
      ThrowsMessage<UsageError>(HasSubstr("cc takes no model to continue, unlike mgd")));
}

TEST(Continuation, RefusesOtherFeatures) {
  const auto data = correlated(200, 17);
  const Model model = trained(data, {{"sigma", "0.1"}});
  auto other = testing::random_problem({.rows = 50, .features = 11, .labels = 4}, 1);
  EXPECT_THAT([&] { continue_training(model, other); },
              ThrowsMessage<InputError>(HasSubstr("has 11 features, the model was trained on 12")));
  other = testing::random_problem({.rows = 50, .features = 12, .labels = 3}, 1);
  EXPECT_THAT([&] { continue_training(model, other); },
              ThrowsMessage<InputError>(HasSubstr("has 3 labels, the model has 4")));
}

}  // namespace
}  // namespace mugrad
