// SPDX-License-Identifier: MIT
// Files from strangers: whatever they hold, a command ends by itself with a message or a result.
#include "support/command_test.h"
#include "support/small_model.h"

#include <mugrad/model/model.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace mugrad::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class HostileInput : public CommandTest {
 protected:
  /// Exit code 1, and one message that has these words.
  void expect_refused(const std::vector<std::string>& arguments, const std::string& words) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_EQ(result.out, "");
  }
  void expect_report_refused(const std::string& text, const std::string& words) const {
    folder_.write("input", text);
    for (const char* to : {"r.html", "r.json"}) {
      expect_refused({"report", "input", "-o", to}, "input" + words);
      EXPECT_FALSE(std::filesystem::exists(folder_ / to));
    }
  }
};

json study(const json& rhos, const json& sigmas, const json& values) {
  return {{"mugrad-study", 1},
          {"sensitivity",
           {{"set", "a"},
            {"metric", "coverage"},
            {"rhos", rhos},
            {"sigmas", sigmas},
            {"values", values}}}};
}

TEST_F(HostileInput, StudiesAreRefusedByFieldAndExpectation) {
  expect_report_refused(study(json::array(), json::array(), json::array()).dump(),
                        ": sensitivity.rhos must list at least one number, ascending");
  expect_report_refused(R"({"mugrad-study":1,"x":)" + std::string(80'000, '['),
                        " is nested more than 16 levels deep");
  const json many(std::vector<int>(60'000, 1));
  expect_report_refused(study(many, many, json::array()).dump(),
                        ": sensitivity.values must have a list for each of 60000 rhos");
}

TEST_F(HostileInput, ResultsAreRefusedByLineFieldAndExpectation) {
  const auto results = [](const std::string& splits, const std::string& share,
                          const std::string& rows) {
    return fmt::format(
        R"({{"mugrad-results":1,"protocol":"p","splits":{},"test_share":{},"sets":[{{"name":"s","rows":{},"features":1,"labels":1,"cardinality":1,"fingerprint":"0"}}],"methods":[{{"name":"m","method":"mgd","text":"m"}}]}}
{{"set":"s","method":"m","split":0,"options":{{}},"thresholds":"","metrics":{{"coverage":1}}}}
)",
        splits, share, rows);
  };
  expect_report_refused(results("2", "0.2", "1e30"), ":1: sets[0].rows must be a whole number");
  expect_report_refused(results("2", "-3", "1"), ":1: test_share must be a number from 0 to 1");
  expect_report_refused(results("1e30", "0.2", "1"), ":1: splits must be a whole number");
  expect_report_refused(results("2", "0.2", "1") + std::string(80'000, '[') + "\n",
                        ":3: it is nested more than 16 levels deep");
  // Splits that are not there take no room.
  folder_.write("input", results("1000000000000", "0.2", "1"));
  const auto report = json_of({"report", "input"});
  EXPECT_EQ(report["results"]["repeats"], 1'000'000'000'000);
  EXPECT_EQ(report["results"]["cells"][0]["repeats"].size(), 0);
  out_of({"report", "input", "-o", "r.html"});
}

TEST_F(HostileInput, ScoresThatAreNotFiniteNameRowAndLabelInEveryOutput) {
  auto contents = small_model();
  contents.head = IndependentHead{Link::identity};
  contents.representation = {.kind = RepresentationKind::none, .mean = {0, 0}, .deviation = {1, 1}};
  contents.feature_names = {"f", "g"};
  contents.weights = Matrix<float>(2, 3, 4);
  Model(contents).save(folder_ / "model");
  folder_.write("rows.csv", "f,g\n1,2\n1e308,1\n");
  folder_.write("labelled.csv", "f,g,happy,sad,quiet-still\n1,2,0,0,1\n1e308,1,1,0,0\n");
  const std::string words = "row 2: the score of label 'happy' is inf, not a finite number";
  for (const std::vector<std::string>& form : std::vector<std::vector<std::string>>{
           {}, {"--scores"}, {"--top-k", "2"}, {"--json"}, {"--scores", "--json"}}) {
    std::vector<std::string> arguments = {"predict", "model", "rows.csv", "-o", "out"};
    arguments.insert(arguments.end(), form.begin(), form.end());
    expect_refused(arguments, words);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  }
  expect_refused({"evaluate", "model", "labelled.csv"}, words);
}

TEST_F(HostileInput, NamesOfAModelCannotSteerTheTerminal) {
  auto contents = small_model();
  contents.label_names = {"a\x1b[2J", "b\nc", "d\u202e"};
  contents.options = {{"rho\x1b", "1\x07"}};
  contents.report.method = "mgd\x1b";
  contents.report.warnings = {"w\x1b]0;title\x07"};
  Model(contents).save(folder_ / "model");
  const auto card = out_of({"info", "model"});
  EXPECT_THAT(card, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07")), Not(HasSubstr("\u202e")),
                          HasSubstr("a\\x1b[2J"), HasSubstr("b\\x0ac")));
}

TEST_F(HostileInput, MoreSplitsThanCanBeCountedAreAWrongCall) {
  make_data();
  const auto refused = run({"compare", "data.arff", "--methods", "br", "--repeats",
                            "9223372036854775807", "--folds", "3", "-o", "results.jsonl"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("9223372036854775807 repeats of 3 folds are more splits"));
}

TEST_F(HostileInput, MessagesAboutAFileCannotSteerTheTerminal) {
  folder_.write("twice.csv", "a,b\u202e,b\u202e\n1,0,1\n");
  const auto twice = run({"train", "twice.csv", "--label-count", "-2"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_THAT(twice.err, AllOf(Not(HasSubstr("\u202e")), HasSubstr("both called 'b\\u202e'")));
  folder_.write(
      "r.jsonl",
      R"({"mugrad-results":1,"protocol":"p","splits":1,"test_share":0.2,"sets":[],"methods":[]})"
      "\n"
      R"({"set":"\u001b[2J","method":"m","split":0,"failure":"f"})"
      "\n");
  const auto refused = run({"report", "r.jsonl"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(Not(HasSubstr("\x1b")), HasSubstr("no data set '\\x1b[2J'")));
}

}  // namespace
}  // namespace mugrad::testing
