// SPDX-License-Identifier: MIT
// Every method trains and scores on terms of texts beside other features.
#include "support/method_name.h"
#include "support/random_problem.h"
#include "support/text_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const RepresentationKind kKinds[] = {RepresentationKind::zscore, RepresentationKind::none,
                                     RepresentationKind::unit, RepresentationKind::tfidf,
                                     RepresentationKind::unit_row};

OptionValues with(RepresentationKind kind) {
  return {{"representation", std::string(to_string(kind))}};
}

/// The same weights and head, for rows that are represented already.
Model of_represented_rows(const Model& model) {
  ModelContents contents = model.contents();
  const auto features = as_size(model.features());
  contents.representation = {.kind = RepresentationKind::none,
                             .mean = std::vector<double>(features, 0),
                             .deviation = std::vector<double>(features, 1)};
  return Model(std::move(contents));
}

void expect_near(const Matrix<double>& found, const Matrix<double>& expected, double tolerance,
                 std::string_view of) {
  ASSERT_EQ(found.size(), expected.size());
  for (Index k = 0; k < found.size(); ++k) {
    ASSERT_NEAR(found.data()[k], expected.data()[k], tolerance) << of << ' ' << k;
  }
}

class Texts : public ::testing::TestWithParam<const Method*> {
 protected:
  static const Method& method() { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Methods, Texts, ::testing::ValuesIn(methods().begin(), methods().end()),
                         testing::method_name);

TEST_P(Texts, ScoresAreThoseOfRowsRepresentedByDefinition) {
  const auto data = testing::text_problem(90, 3);
  const auto others = testing::text_problem(30, 4);
  for (const auto kind : kKinds) {
    const Model model = method().fit(data, with(kind), {1}, nullptr);
    EXPECT_EQ(model.contents().representation.term_blocks, data.term_blocks);
    for (const Dataset& scored : {data, others}) {
      const Features rows(testing::plain_represented(scored.x, data, kind));
      expect_near(model.scores(scored.x), of_represented_rows(model).scores(rows), 1e-9,
                  to_string(kind));
    }
  }
}

TEST_P(Texts, AWeightOfTextsIsThatOfTheRepresentation) {
  const auto data = testing::text_problem(90, 3);
  for (const auto kind : {RepresentationKind::zscore, RepresentationKind::unit}) {
    auto values = with(kind);
    values["text-weight"] = "4";
    const Model model = method().fit(data, values, {1}, nullptr);
    const ModelContents& contents = model.contents();
    const auto expected = fit_representation(data.x, kind, {}, data.term_blocks, 4);
    EXPECT_EQ(contents.representation, expected);
    EXPECT_EQ(contents.options.at("text-weight"), "4");
  }
  for (const std::string outside : {"0", "-1", "1e7", "nan"}) {
    EXPECT_THROW(method().fit(data, {{"text-weight", outside}}, {1}, nullptr), UsageError);
  }
}

TEST_P(Texts, LearnsWhatItLearnsFromRowsRepresentedByDefinition) {
  const auto data = testing::text_problem(90, 3);
  OptionValues values = with(RepresentationKind::none);
  if (method().has_option("tolerance")) values["tolerance"] = "1e-8";
  if (method().has_option("precision")) values["precision"] = "double";
  const Model model = method().fit(data, values, {1}, nullptr);
  const Features rows(testing::plain_represented(data.x, data, RepresentationKind::none));
  Dataset represented{.name = "rows", .x = rows, .y = data.y};
  expect_near(model.scores(data.x), method().fit(represented, values, {1}, nullptr).scores(rows),
              1e-4, method().name());
}

TEST_P(Texts, NeitherThreadsNorBlocksNorFilesChangeAScore) {
  const auto data = testing::text_problem(70, 5);
  const Model model = method().fit(data, {}, {1}, nullptr);
  const auto bytes = model.to_bytes();
  const auto scores = model.scores(data.x, {1});
  for (const int threads : {2, 3}) {
    EXPECT_EQ(method().fit(data, {}, {threads}, nullptr).to_bytes(), bytes);
    EXPECT_EQ(model.scores(data.x, {threads}), scores);
  }
  const Model again = Model::from_bytes(bytes, "model");
  EXPECT_EQ(again.contents(), model.contents());
  EXPECT_EQ(again.scores(data.x), scores);
  const auto part = again.scores(data.x, 13, 41);
  for (Index row = 0; row < part.rows(); ++row) {
    for (Index label = 0; label < part.cols(); ++label) {
      ASSERT_EQ(part(row, label), scores(row + 13, label));
    }
  }
}

TEST_P(Texts, AreNotForGaussianFeatures) {
  EXPECT_THAT(
      [] {
        method().fit(testing::text_problem(40, 3), with(RepresentationKind::gaussian), {1},
                     nullptr);
      },
      ThrowsMessage<UsageError>(HasSubstr("the representation 'gaussian' is not for data with "
                                          "texts")));
}

TEST_P(Texts, MustLieWithinTheFeatures) {
  const std::vector<std::vector<TermBlock>> wrong = {
      {{.first = 12, .count = 7}},
      {{.first = -1, .count = 3}},
      {{.first = 3, .count = 0}},
      {{.first = 3, .count = 6}, {.first = 8, .count = 2}}};
  for (const auto& blocks : wrong) {
    auto data = testing::text_problem(40, 3);
    data.term_blocks = blocks;
    EXPECT_THAT([&] { method().fit(data, {}, {1}, nullptr); },
                ThrowsMessage<InputError>(
                    HasSubstr("the texts of texts do not follow each other within its 18 "
                              "features: one has")));
  }
}

}  // namespace
}  // namespace mugrad
