// SPDX-License-Identifier: MIT
// Models of texts beside other features, and their files.
#include "support/small_model.h"
#include "support/text_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/br.h>
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <limits>
#include <string>

namespace mugrad {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// The second feature is a term.
Representation some_texts() {
  return {.kind = RepresentationKind::zscore,
          .mean = {1.5, -2},
          .deviation = {0.1, 0},
          .term_weight = {1, 1.0 / 3 + 1},
          .term_blocks = {{.first = 1, .count = 1}},
          .text_length = 1.0 / 7,
          .beside_texts = 2.0 / 3};
}

TEST(TextModel, IsTheSameFromItsFileInTheNewestFormat) {
  auto contents = testing::small_model();
  contents.representation = some_texts();
  for (const auto kind :
       {RepresentationKind::zscore, RepresentationKind::none, RepresentationKind::unit,
        RepresentationKind::tfidf, RepresentationKind::unit_row}) {
    contents.representation.kind = kind;
    contents.representation.row_length = has_row_length(kind) ? 1.0 / 9 : 0;
    const auto bytes = Model(contents).to_bytes();
    EXPECT_EQ(Model::from_bytes(bytes, "model").contents(), contents);
    testing::doctored(bytes, [](const json& header, const std::string&) {
      EXPECT_EQ(header["__metadata__"]["format_version"], "3");
      EXPECT_EQ(header["term_blocks"]["shape"], json({1, 2}));
    });
  }
}

TEST(TextModel, ThatDoesNotFitItselfIsRefused) {
  const auto refused = [](const std::function<void(Representation&)>& change,
                          const std::string& message) {
    auto contents = testing::small_model();
    contents.representation = some_texts();
    change(contents.representation);
    EXPECT_THAT([&] { Model{contents}; }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  const char* const kPlace = "do not follow each other within its 2 features: one has";
  refused([](auto& r) { r.term_blocks[0].count = 2; }, kPlace);
  refused([](auto& r) { r.term_blocks[0].count = 0; }, kPlace);
  refused([](auto& r) { r.term_blocks[0].first = -1; }, kPlace);
  refused([](auto& r) { r.term_blocks[0].count = std::numeric_limits<Index>::max(); }, kPlace);
  refused([](auto& r) { r.term_blocks.push_back({.first = 0, .count = 1}); }, kPlace);
  refused([](auto& r) { r.text_length = 0; },
          "texts of the representation 'zscore' cannot have the length 0");
  refused([](auto& r) { r.beside_texts = -1; }, "features beside texts cannot have the factor -1");
  refused([](auto& r) { r.term_weight.clear(); }, "the model has 0 weights of terms, 2 expected");
  refused([](auto& r) { r.term_blocks.clear(); }, "the model has 2 weights of terms, 0 expected");
  refused(
      [](auto& r) {
        r.term_blocks.clear();
        r.term_weight.clear();
      },
      "cannot have the length 0.14");
  refused(
      [](auto& r) {
        r = {.mean = {0, 0}, .deviation = {1, 1}, .beside_texts = 2};
      },
      "features beside texts cannot have the factor 2");
}

TEST(TextModel, WithBlocksOfAnotherTypeIsRefused) {
  auto contents = testing::small_model();
  contents.representation = some_texts();
  const auto bytes = Model(contents).to_bytes();
  const auto refused = [&](const std::function<void(json&)>& change, const std::string& message) {
    const auto changed =
        testing::doctored(bytes, [&](json& header, const std::string&) { change(header); });
    EXPECT_THAT([&] { Model::from_bytes(changed, "model"); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  };
  refused([](json& header) { header["term_blocks"]["dtype"] = "F64"; },
          "the tensor 'term_blocks' must have the type I64 and 2 columns, not F64 and 2");
  refused([](json& header) { header["term_blocks"]["shape"] = {2, 1}; }, "not I64 and 1");
  refused([](json& header) { header["term_blocks"]["shape"] = {2}; }, "must have 2 dimensions");
}

TEST(TextModel, ScoresRowsOfAnyMagnitudeAsFarRows) {
  const auto data = testing::text_problem(60, 3);
  const Model model = fit(data, BrOptions{});
  const auto times = [&](double factor) {
    Features x = data.x;
    for (double& value : x.sparse().value) value *= factor;
    return model.scores(x);
  };
  const auto far = times(1e12);
  for (const double factor : {1e155, 1e200, 1e300}) {
    const auto scores = times(factor);
    for (Index k = 0; k < far.size(); ++k) EXPECT_NEAR(scores.data()[k], far.data()[k], 1e-9);
  }
}

TEST(TextModel, DoesNotSeeHowOftenATextIsRepeated) {
  const auto data = testing::text_problem(60, 3);
  const Model model = fit(data, BrOptions{});
  Features twice = data.x;
  auto& x = twice.sparse();
  for (std::size_t k = 0; k < x.value.size(); ++k) {
    if (x.column[k] >= 11 && x.column[k] < 16) x.value[k] *= 2;
  }
  const auto scores = model.scores(twice), expected = model.scores(data.x);
  for (Index k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(scores.data()[k], expected.data()[k], 1e-12);
  }
}

}  // namespace
}  // namespace mugrad
