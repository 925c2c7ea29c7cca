// SPDX-License-Identifier: MIT
// The part of a model by which its training can be continued.
#include "support/small_model.h"

#include <mugrad/core/error.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <limits>

namespace mugrad {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A small model with a curvature.
ModelContents model_with_curvature() {
  ModelContents contents = testing::small_model();
  contents.curvature = {.examples = {100, 60.5, 0},
                        .diagonal = {{25, 15, 0}, {12.5F, 1e-30F, 0}, {0, 3e38F, 0}},
                        .factor = {{1, 0.5F, -0.25F}, {0, 0.75F, 0.1F}}};
  return contents;
}

TEST(ModelCurvature, ComesBackFromAFile) {
  auto contents = model_with_curvature();
  EXPECT_EQ(Model::from_bytes(Model(contents).to_bytes(), "m").contents(), contents);
  contents.curvature.factor = {};
  contents.report.new_rows = 7;
  EXPECT_EQ(Model::from_bytes(Model(contents).to_bytes(), "m").contents(), contents);
}

TEST(ModelCurvature, NeedsFormatThreeAndNothingElseDoes) {
  const auto format = [](const ModelContents& contents) {
    std::string found;
    testing::doctored(Model(contents).to_bytes(), [&](const json& header, const std::string&) {
      found = header["__metadata__"]["format_version"];
    });
    return found;
  };
  EXPECT_EQ(format(model_with_curvature()), "3");
  EXPECT_EQ(format(testing::small_model()), "2");
}

TEST(ModelCurvature, OfAModelWithoutItLeavesNoTrace) {
  const std::string bytes = Model(testing::small_model()).to_bytes();
  EXPECT_THAT(bytes, ::testing::Not(HasSubstr("curvature\":{")));
  EXPECT_THAT(bytes, ::testing::Not(HasSubstr("new_rows")));
}

TEST(ModelCurvature, ThatDoesNotFitIsRefused) {
  const auto refused = [](const std::function<void(ModelContents&)>& change, const char* why) {
    auto contents = model_with_curvature();
    change(contents);
    EXPECT_THAT([&] { const Model model(contents); }, ThrowsMessage<InputError>(HasSubstr(why)));
  };
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  refused([](auto& c) { c.curvature.examples.pop_back(); },
          "counts the examples of 2 labels, 3 expected");
  refused([](auto& c) { c.curvature.examples[1] = -1; }, "counts -1 examples");
  refused([](auto& c) { c.curvature.examples.clear(); }, "does not count examples");
  refused([](auto& c) { c.curvature.diagonal = Matrix<float>(2, 3); },
          "the diagonal of the curvature is 2 x 3, 3 x 3 expected");
  refused([](auto& c) { c.curvature.diagonal(1, 1) = -1; }, "is -1, which is not a finite number");
  refused([](auto& c) { c.curvature.diagonal(1, 1) = INFINITY; }, "is inf");
  refused([](auto& c) { c.curvature.factor = Matrix<float>(1, 2); },
          "the factor of the curvature is 1 x 2, 1 x 3 expected");
  refused([](auto& c) { c.curvature.factor = Matrix<float>(4, 3); }, "has 4 rows, at most 3");
  refused([](auto& c) { c.curvature.factor(0, 0) = kNaN; }, "is nan, which is not within");
  refused([](auto& c) { c.report.new_rows = 101; }, "counts 101 new rows of 100");
}

TEST(ModelCurvature, TensorsOfAnotherTypeOrWithoutExamplesAreRefused) {
  const std::string bytes = Model(model_with_curvature()).to_bytes();
  const auto refused = [&](const auto& change, const char* why) {
    const auto changed = testing::doctored(bytes, change);
    EXPECT_THAT([&] { Model::from_bytes(changed, "m"); },
                ThrowsMessage<InputError>(HasSubstr(why)));
  };
  refused([](json& header, std::string&) { header["curvature"]["dtype"] = "I32"; },
          "the tensor 'curvature' must have the type F32, not I32");
  refused(
      [](json& header, std::string&) {
        header["other"] = header["curvature.examples"];
        header.erase("curvature.examples");
      },
      "the tensor 'curvature.examples' is missing");
  refused(
      [](json& header, std::string&) {
        header["other"] = header["curvature"];
        header.erase("curvature");
      },
      "does not belong in a model");
}

}  // namespace
}  // namespace mugrad
