// SPDX-License-Identifier: MIT
// What a model file keeps of the columns of a table.
#include "support/small_model.h"

#include <mugrad/core/error.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace mugrad {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Index kFeatures = 16;

/// Every role, and every field that differs from its default. Columns are in another order than
/// their features.
TableEncoding every_role() {
  return {.columns = {{.name = "opened",
                       .role = ColumnRole::date,
                       .first = 11,
                       .width = 5,
                       .marks_missing = true,
                       .fill = 20775.25},
                      {.name = "age", .first = 0, .width = 2, .marks_missing = true, .fill = -1.5},
                      {.name = "weight", .first = 2, .width = 1},
                      {.name = "plan",
                       .role = ColumnRole::category,
                       .first = 3,
                       .width = 3,
                       .marks_missing = true,
                       .has_other = true,
                       .fill = 0},
                      {.name = "body", .role = ColumnRole::text, .first = 6, .width = 4},
                      {.name = "subject", .role = ColumnRole::text, .first = 10, .width = 1},
                      {.name = "topics", .role = ColumnRole::tags, .separator = "|"},
                      {.name = "ticket", .role = ColumnRole::identifier},
                      {.name = "nothing", .role = ColumnRole::ignored}},
          .text = {.min_words = 2,
                   .max_words = 3,
                   .min_characters = 4,
                   .max_characters = 5,
                   .min_documents = 6,
                   .max_document_share = 0.7,
                   .max_terms = 8,
                   .sublinear = false}};
}

/// A model of BR's kind with the features of every_role().
ModelContents model_of_table() {
  auto contents = testing::small_model();
  const Index labels = std::ssize(contents.label_names);
  contents.feature_names.clear();
  for (Index k = 0; k < kFeatures; ++k) contents.feature_names.push_back("f" + std::to_string(k));
  contents.representation = {.mean = std::vector<double>(kFeatures, 0.5),
                             .deviation = std::vector<double>(kFeatures, 2)};
  contents.weights = Matrix<float>(kFeatures, labels);
  contents.encoding = every_role();
  return contents;
}

/// The model with other columns, from its file.
Model changed(const std::function<void(json& columns)>& change) {
  const auto bytes = Model(model_of_table()).to_bytes();
  return Model::from_bytes(testing::doctored(bytes,
                                             [&](json& header, const std::string&) {
                                               auto& entry = header["__metadata__"]["columns"];
                                               auto columns = json::parse(entry.get<std::string>());
                                               change(columns);
                                               entry = columns.dump();
                                             }),
                           "model");
}

TEST(ModelEncoding, IsTheSameFromItsFile) {
  const Model model(model_of_table());
  const auto read = Model::from_bytes(model.to_bytes(), "model");
  EXPECT_EQ(read.contents().encoding, every_role());
  EXPECT_EQ(read.contents(), model.contents());
}

TEST(ModelEncoding, OfHashedTermsIsTheSameFromItsFile) {
  auto contents = model_of_table();
  contents.encoding = {.columns = {{.name = "body", .role = ColumnRole::text, .width = kFeatures}},
                       .text = {.hash_bits = 4}};
  EXPECT_EQ(Model::from_bytes(Model(contents).to_bytes(), "model").contents(), contents);
}

TEST(ModelEncoding, IsAbsentFromModelsOfPlainColumns) {
  testing::doctored(Model(testing::small_model()).to_bytes(),
                    [](const json& header, const std::string&) {
                      EXPECT_FALSE(header["__metadata__"].contains("columns"));
                    });
}

TEST(ModelEncoding, LeavesOutWhatIsAbsent) {
  changed([](const json& entry) {
    EXPECT_EQ(entry["columns"][7], (json{{"name", "ticket"}, {"role", "identifier"}}));
    EXPECT_EQ(entry["columns"][2],
              (json{{"name", "weight"}, {"role", "number"}, {"first", 2}, {"width", 1}}));
    EXPECT_EQ(entry["columns"][6],
              (json{{"name", "topics"}, {"role", "tags"}, {"separator", "|"}}));
  });
}

TEST(ModelEncoding, ThatDoesNotFitTheModelIsRefused) {
  const auto refused = [](const std::function<void(TableEncoding&)>& change,
                          const std::string& message) {
    auto contents = model_of_table();
    change(contents.encoding);
    EXPECT_THAT([&] { Model{contents}; }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  const auto misfit = [](std::string_view role) {
    return "which does not fit the role '" + std::string(role) + "'";
  };
  refused([](auto& e) { e.columns[0].width = 4; }, misfit("date"));
  refused([](auto& e) { e.columns[1].width = 1; }, misfit("number"));
  refused([](auto& e) { e.columns[3].width = 1; }, misfit("category"));
  refused([](auto& e) { e.columns[4].marks_missing = true; }, misfit("text"));
  refused([](auto& e) { e.columns[6].width = 1; }, misfit("tags"));
  refused([](auto& e) { e.columns[7].width = 1; }, misfit("identifier"));
  refused([](auto& e) { e.columns[8].width = 1; }, misfit("ignored"));
  refused([](auto& e) { e.columns[4].first = 14; },
          "the column 'body' has 4 of the model's 16 features from number 14 on");
  refused([](auto& e) { e.columns[4].width = std::numeric_limits<Index>::max(); },
          "of the model's 16 features from number 6 on");
  refused([](auto& e) { e.columns[4].width = 3; }, "feature 9 of the model is of no column");
  refused([](auto& e) { e.columns[4].width = 5; }, "feature 10 of the model is of no column, or");
  refused([](auto& e) { e.columns.erase(e.columns.begin()); },
          "feature 11 of the model is of no column");
  refused([](auto& e) { e.columns[1].name = "body"; }, "two columns are called 'body'");
  refused([](auto& e) { e.columns[1].name = "\xff"; }, "the name of a column is not UTF-8");
  refused([](auto& e) { e.columns[6].separator = "::"; },
          "the separator of the tags 'topics' must be one character");
  refused([](auto& e) { e.columns[1].fill = std::numeric_limits<double>::infinity(); },
          "the value that fills in 'age' is not finite");
  for (const double days : {1e300, -1e300, 1e7, -1e6}) {
    refused([&](auto& e) { e.columns[0].fill = days; },
            "the value that fills in 'opened' is no date: ");
  }
  refused([](auto& e) { e.text.hash_bits = 30; },
          "the text 'body' has 4 features, but its terms have 1073741824 hashes");
  refused([](auto& e) { e.text.hash_bits = 31; }, "the terms of its texts are impossible");
  refused([](auto& e) { e.text.min_documents = 0; }, "the terms of its texts are impossible");
}

TEST(ModelEncoding, OfUnnamedFeaturesIsRefused) {
  auto contents = model_of_table();
  contents.feature_names.clear();
  EXPECT_THAT(
      [&] { Model{contents}; },
      ThrowsMessage<InputError>(HasSubstr("the model has columns of a table, but 0 names")));
}

TEST(ModelEncoding, ThatIsMalformedIsRefused) {
  const auto refused = [](const std::function<void(json&)>& change, const std::string& message) {
    EXPECT_THAT([&] { changed(change); }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  refused([](json& e) { e["columns"][1]["role"] = "colour"; }, "role is unknown: ");
  refused([](json& e) { e["columns"][1]["role"] = 7; }, "must be a string");
  refused([](json& e) { e["columns"][1].erase("name"); }, "name");
  refused([](json& e) { e["columns"][1].erase("first"); }, "first");
  refused([](json& e) { e["columns"][1]["width"] = -1; }, "width");
  refused([](json& e) { e["columns"][1]["width"] = 0.5; }, "width");
  refused([](json& e) { e["columns"][1]["width"] = 1e10; }, "width");
  refused([](json& e) { e["columns"][1]["fill"] = "x"; }, "fill must be a number");
  refused([](json& e) { e["columns"][1]["marks_missing"] = 1; }, "marks_missing");
  refused([](json& e) { e["columns"] = "x"; }, "columns");
  refused([](json& e) { e.erase("columns"); }, "columns");
  refused([](json& e) { e["text"]["hash_bits"] = 30; }, "hashes");
  refused([](json& e) { e["text"].erase("sublinear"); }, "sublinear");
  refused([](json& e) { e["text"]["max_document_share"] = 2; }, "impossible");
}

}  // namespace
}  // namespace mugrad
