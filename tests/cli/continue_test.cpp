// SPDX-License-Identifier: MIT
// train --continue, as it is typed.
#include "support/command_test.h"

#include <gmock/gmock.h>

namespace mugrad::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class ContinuedTraining : public CommandTest {
 protected:
  /// Tickets about one of some topics; `words` are added to each of the last topic.
  std::string tickets(int rows, const std::vector<std::string>& topics,
                      const std::string& words) const {
    std::string text;
    for (int i = 0; i < rows; ++i) {
      const auto& topic = topics[static_cast<std::size_t>(i) % topics.size()];
      text += R"({"body": "please help with the )" + topic + " of " + topic + " " +
              (i % 3 == 0 ? "soon " : "now ") + (topic == topics.back() ? words : "") +
              R"(", "age": )" + std::to_string(i % 7) + R"(, "tags": [")" + topic + "\"]}\n";
    }
    return text;
  }
  void make_tickets() const {
    folder_.write("old.jsonl", tickets(90, {"invoice", "printer", "login"}, ""));
    folder_.write("new.jsonl", tickets(30, {"invoice", "login", "quantum"}, "qubit"));
    out_of({"train", "old.jsonl", "--tags", "tags", "--text", "body", "--thresholds", "keep",
            "--keep-curvature", "-o", "old.mugrad"});
  }
  void refuses(std::vector<std::string> more, const char* why) const {
    more.insert(more.begin(), {"train", "--continue", "old.mugrad", "new.jsonl"});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(why));
  }
};

TEST_F(ContinuedTraining, LearnsNewRowsTermsAndLabels) {
  make_tickets();
  const auto report = json_of({"train", "--continue", "old.mugrad", "new.jsonl"})["report"];
  EXPECT_EQ(report["rows"], 120);
  EXPECT_EQ(report["new_rows"], 30);
  folder_.write("q.jsonl", R"({"body": "a qubit", "age": 3})"
                           "\n"
                           R"({"body": "the printer", "age": 3})"
                           "\n");
  const auto top = out_of({"predict", "new.mugrad", "q.jsonl", "--top-k", "1"});
  EXPECT_THAT(top, HasSubstr("1,1,quantum"));
  EXPECT_THAT(top, HasSubstr("2,1,printer"));
  EXPECT_THAT(out_of({"predict", "new.mugrad", "q.jsonl", "--scores"}),
              HasSubstr("invoice,login,printer,quantum"));
}

TEST_F(ContinuedTraining, CanGoOnAndOn) {
  make_tickets();
  out_of({"train", "--continue", "old.mugrad", "new.jsonl", "-o", "second.mugrad"});
  const auto result =
      run({"train", "--continue", "second.mugrad", "old.jsonl", "-o", "third", "--refit"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("trained on 210 examples, 90 of them new"));
  EXPECT_THAT(out_of({"info", "third"}), HasSubstr("210 examples, 90 of them new"));
  EXPECT_THAT(result.err, Not(HasSubstr("estimated")));
}

TEST_F(ContinuedTraining, SaysThatItEstimatesACurvature) {
  make_tickets();
  out_of({"train", "old.jsonl", "--tags", "tags", "--text", "body", "--method", "br", "-o",
          "plain.mugrad"});
  const auto result = run({"train", "--continue", "plain.mugrad", "new.jsonl", "-o", "m"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("it is estimated from the 30 new rows"));
}

TEST_F(ContinuedTraining, ModelsHaveACurvatureOnlyIfAskedFor) {
  make_tickets();
  const std::vector<std::string> train = {"train", "old.jsonl",    "--tags", "tags",    "--text",
                                          "body",  "--thresholds", "keep",   "--output"};
  auto plain = train;
  plain.emplace_back("plain.mugrad");
  out_of(plain);
  EXPECT_THAT(read_file(folder_ / "old.mugrad"), HasSubstr("curvature.examples"));
  EXPECT_THAT(read_file(folder_ / "plain.mugrad"), Not(HasSubstr("curvature.examples")));
}

TEST_F(ContinuedTraining, FilesOfNumbersMatchByPosition) {
  folder_.write("old.libsvm", "0 1:1\n1 2:1\n0 1:2 3:1\n1 2:2\n0,1 1:1 2:1\n");
  folder_.write("more.libsvm", "0 1:1\n2 3:1\n0 1:2\n2 3:2 1:1\n");
  out_of({"train", "old.libsvm", "--keep-curvature", "-o", "a"});
  EXPECT_EQ(json_of({"train", "--continue", "a", "more.libsvm", "-o", "b"})["report"]["rows"], 9);
  EXPECT_THAT(out_of({"info", "b"}), HasSubstr("'0', '1', '2'"));
}

TEST_F(ContinuedTraining, RefusesWhatTheModelDecides) {
  make_tickets();
  refuses({"-o", "old.mugrad"}, "--continue is read from it");
  refuses({"--auto"}, "--auto cannot be used with --continue");
  refuses({"--preset", "paper"}, "--preset cannot be used with --continue");
  refuses({"--thresholds", "one"}, "--thresholds cannot be used with --continue");
  refuses({"--calibrate"}, "--calibrate cannot be used with --continue");
  refuses({"--method", "br"}, "--method br contradicts old.mugrad, which is a model of mgd");
  refuses({"--rho", "0.5"}, "the model was trained with --rho 0.01");
  refuses({"--transfer", "jaccard"}, "--continue, which keeps the relations");
  refuses({"--max-words", "3"}, "--max-words is decided by the model");
  refuses({"--tags", "age"}, "--tags age contradicts the model");
  refuses({"--keep-curvature"}, "--continue excludes --keep-curvature");
  EXPECT_THAT(run({"train", "old.jsonl", "--refit"}).err, HasSubstr("--refit requires --continue"));
  EXPECT_THAT(
      run({"train", "old.jsonl", "--tags", "tags", "--method", "cc", "--keep-curvature"}).err,
      HasSubstr("--keep-curvature is for models that can be continued, of mgd and br"));
}

TEST_F(ContinuedTraining, TagsMayBeSeparatedOtherwiseThanInTheModel) {
  folder_.write("old.csv", "x,tags\n1,a;b\n2,a\n3,b\n4,c;a\n5,b\n6,c\n");
  folder_.write("old.jsonl",
                "{\"x\": 1, \"tags\": [\"a\", \"b\"]}\n{\"x\": 2, \"tags\": [\"a\"]}\n"
                "{\"x\": 3, \"tags\": [\"b\"]}\n{\"x\": 4, \"tags\": [\"c\"]}\n");
  folder_.write("bars.csv", "x,tags\n1,a|b\n2,b|new\n3,c|a\n4,a|b\n");
  folder_.write("new_alone.csv", "x,tags\n1,d|e\n2,e|d\n3,d\n");
  for (const std::string old : {"old.csv", "old.jsonl"}) {
    SCOPED_TRACE(old);
    out_of({"train", old, "--tags", "tags", "--thresholds", "keep", "--keep-curvature", "-o", "m"});
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{}, {"--tag-separator", "|"}}) {
      auto train = std::vector<std::string>{"train", "--continue", "m", "bars.csv", "-o", "n"};
      train.insert(train.end(), more.begin(), more.end());
      out_of(train);
      EXPECT_THAT(out_of({"info", "n"}), HasSubstr("'a', 'b', 'c', 'new'"));
    }
    out_of({"train", "--continue", "m", "new_alone.csv", "-o", "n"});
    EXPECT_THAT(out_of({"info", "n"}), HasSubstr("'a', 'b', 'c', 'd', 'e'"));
    out_of({"train", "--continue", "m", "new_alone.csv", "--tag-separator", ";", "-o", "n"});
    EXPECT_THAT(out_of({"info", "n"}), HasSubstr("'d', 'd|e', 'e|d'"));
  }
}

TEST_F(ContinuedTraining, MissingTagsAreNamed) {
  make_tickets();
  const std::string row = R"({"body": "the printer", "age": 3)";
  folder_.write("other.jsonl", row + ", \"tag\": [\"login\"]}\n");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"evaluate", "old.mugrad", "other.jsonl"},
           {"train", "--continue", "old.mugrad", "other.jsonl"}}) {
    EXPECT_THAT(run(command).err,
                HasSubstr("other.jsonl lacks the column 'tags', which lists the labels of each row "
                          "for the model; did you mean 'tag'?"));
  }
  folder_.write("empty.jsonl", row + ", \"tags\": []}\n");
  EXPECT_THAT(run({"train", "--continue", "old.mugrad", "empty.jsonl"}).err,
              HasSubstr("empty has no labels to train on: no row has one in the column 'tags'"));
}

TEST_F(ContinuedTraining, NeverHasMoreTermsThanTheModelAllows) {
  folder_.write("old.jsonl", tickets(90, {"invoice", "printer", "login"}, ""));
  folder_.write("new.jsonl", tickets(30, {"invoice", "quantum", "entangled"}, "qubit photon"));
  const auto features = [&](const std::string& model) {
    const auto names = json_of({"info", model})["features"];
    return names.get<int>();
  };
  out_of({"train", "old.jsonl", "--tags", "tags", "--text", "body", "--thresholds", "keep",
          "--max-terms", "12", "--keep-curvature", "-o", "m"});
  ASSERT_EQ(features("m"), 13);
  const auto result = run({"train", "--continue", "m", "new.jsonl", "-o", "n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(" new terms of 'body': with them, the model would have more "
                                    "than --max-terms 12"));
  EXPECT_EQ(features("n"), 13);
}

TEST_F(ContinuedTraining, NamesMethodsWhoseModelsCanBeContinued) {
  make_tickets();
  out_of({"train", "old.jsonl", "--tags", "tags", "--text", "body", "--method", "clr", "-o",
          "clr.mugrad"});
  const auto result = run({"train", "--continue", "clr.mugrad", "new.jsonl"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("a model of clr cannot be continued"));
  EXPECT_THAT(result.err, HasSubstr("those of mgd and br can"));
}

}  // namespace
}  // namespace mugrad::testing
