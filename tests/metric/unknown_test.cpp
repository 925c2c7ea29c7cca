// SPDX-License-Identifier: MIT
// Labels of which it is not known whether a row has them.
#include "support/label_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/metric/evaluate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace mugrad {
namespace {

using testing::binary_rows;
using testing::dense_rows;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Index kRows = 60;
constexpr LabelId kLabels = 6;

/// Rows with few distinct scores, so that there are ties, and each kind of row.
struct Case {
  Matrix<double> scores{kRows, kLabels};
  BinaryMatrix truth{.cols = kLabels, .row_start = {0}, .column = {}};
  BinaryMatrix unknown{.cols = kLabels, .row_start = {0}, .column = {}};

  explicit Case(std::uint64_t seed) {
    RandomStream random(seed, "unknown-labels");
    for (Index i = 0; i < kRows; ++i) {
      const double unknown_share = random.uniform();
      const double true_share = random.uniform();
      for (LabelId t = 0; t < kLabels; ++t) {
        scores(i, t) = std::floor(5 * random.uniform()) / 5;
        const bool is_unknown = random.uniform() < unknown_share || i == 7;
        const bool is_true = random.uniform() < true_share;
        if (is_unknown) unknown.column.push_back(t);
        if (is_true && !is_unknown) truth.column.push_back(t);
      }
      truth.end_row();
      unknown.end_row();
    }
  }

  /// A row without its unknown labels, evaluated alone.
  Evaluation evaluated_alone(Index row, const EvaluateOptions& options) const {
    std::vector<double> known;
    BinaryMatrix of_row;
    for (LabelId t = 0; t < kLabels; ++t) {
      if (std::ranges::binary_search(unknown.row(row), t)) continue;
      if (std::ranges::binary_search(truth.row(row), t)) {
        of_row.column.push_back(static_cast<LabelId>(known.size()));
      }
      known.push_back(scores(row, t));
    }
    if (known.empty()) return {};
    of_row.cols = std::ssize(known);
    of_row.end_row();
    return evaluate(dense_rows({known}), of_row, options);
  }
};

TEST(UnknownLabels, RowsAreJudgedAsIfTheyHadTheOtherLabelsOnly) {
  for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
    const Case example(3);
    const EvaluateOptions options{.threshold = 0.6, .convention = convention};
    std::map<std::string, std::pair<double, Index>> means;  // sum and count
    for (Index i = 0; i < kRows; ++i) {
      const auto alone = example.evaluated_alone(i, options);
      for (const auto& metric : alone.metrics) {
        if (std::isnan(metric.value)) continue;
        const bool is_coverage = metric.metric.name() == "coverage";
        auto& [sum, count] = means[metric.metric.name()];
        sum += metric.value * static_cast<double>(is_coverage ? alone.labels : 1);
        ++count;
      }
    }
    means["coverage"].first /= kLabels;
    const auto all = evaluate(example.scores, example.truth, options, &example.unknown);
    for (const auto& metric : all.metrics) {
      if (metric.metric.name() == "macro-f1" || metric.metric.name() == "micro-f1") continue;
      // Under lamda a row without labels counts below zero, but never alone.
      if (convention == Convention::lamda && metric.metric.name() == "coverage") continue;
      const auto [sum, count] = means[metric.metric.name()];
      EXPECT_NEAR(metric.value, sum / static_cast<double>(count), 1e-12) << metric.metric.name();
      EXPECT_EQ(metric.skipped, kRows - count) << metric.metric.name();
    }
  }
}

TEST(UnknownLabels, EntriesCountForNoLabel) {
  const Case example(4);
  const auto result = evaluate(example.scores, example.truth, {.threshold = 0.6}, &example.unknown);
  double sum = 0;
  for (LabelId t = 0; t < kLabels; ++t) {
    Index tp = 0;
    Index wrong = 0;
    for (Index i = 0; i < kRows; ++i) {
      if (std::ranges::binary_search(example.unknown.row(i), t)) continue;
      const bool is_true = std::ranges::binary_search(example.truth.row(i), t);
      const bool predicted = example.scores(i, t) >= 0.6;
      tp += is_true && predicted ? 1 : 0;
      wrong += is_true != predicted ? 1 : 0;
    }
    const double f1 = 2 * static_cast<double>(tp) / static_cast<double>(2 * tp + wrong);
    EXPECT_NEAR(result.per_label[static_cast<std::size_t>(t)].f1, f1, 1e-12);
    sum += f1 / kLabels;
  }
  EXPECT_NEAR(result["macro-f1"], sum, 1e-12);
}

TEST(UnknownLabels, LabelThatIsNeverKnownIsLeftOutOfMacroF1) {
  const auto unknown = binary_rows({{0, 1}, {0, 1}});
  const auto result =
      evaluate(dense_rows({{.9, .9}, {.1, .1}}), binary_rows({{1, 0}, {0, 0}}), {}, &unknown);
  EXPECT_EQ(result["macro-f1"], 1);
  EXPECT_EQ(result.metrics[4].skipped, 1);
  EXPECT_EQ(result["subset-accuracy"], 1);
}

TEST(UnknownLabels, RowWithoutAnyKnownLabelIsSkipped) {
  const auto unknown = binary_rows({{1, 1}, {0, 0}});
  const auto result =
      evaluate(dense_rows({{.1, .9}, {.9, .1}}), binary_rows({{0, 0}, {1, 0}}), {}, &unknown);
  EXPECT_EQ(result.rows, 2);
  EXPECT_EQ(result["hamming-loss"], 0);
  EXPECT_EQ(result["average-precision"], 1);
  EXPECT_EQ(result.metrics[0].skipped, 1);
  EXPECT_EQ(result.rows_without_labels, 0);
}

TEST(UnknownLabels, ThatDoNotFitAreRefused) {
  const auto scores = dense_rows({{.1, .9}});
  const auto truth = binary_rows({{1, 0}});
  const auto both = binary_rows({{1, 0}});
  EXPECT_THAT([&] { evaluate(scores, truth, {}, &both); },
              ThrowsMessage<UsageError>("row 0: label 0 is both true and unknown"));
  const auto wide = binary_rows({{0, 0, 1}});
  EXPECT_THAT([&] { evaluate(scores, truth, {}, &wide); },
              ThrowsMessage<UsageError>(HasSubstr("the unknown labels are 1 x 3")));
  Evaluator evaluator(2);
  const std::vector<double> row = {.1, .9};
  const std::vector<LabelId> beyond = {2};
  EXPECT_THAT([&] { evaluator.add(row, {}, beyond); },
              ThrowsMessage<UsageError>(HasSubstr("row 0: unknown label 2 after -1")));
}

}  // namespace
}  // namespace mugrad
