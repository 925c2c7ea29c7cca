// SPDX-License-Identifier: MIT
// What train and tune choose by inner folds, as they are typed.
#include "support/command_test.h"

#include <gmock/gmock.h>

namespace mugrad::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TunedTraining : public CommandTest {
 protected:
  nlohmann::json thresholds_after(std::vector<std::string> options) const {
    options.insert(options.begin(), {"train", "data.arff", "-o", "m", "--quiet"});
    out_of(options);
    return json_of({"info", "m"})["thresholds"];
  }
  void refuses(const std::vector<std::string>& arguments, const char* why) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << why;
    EXPECT_THAT(result.err, HasSubstr(why));
  }
};

TEST_F(TunedTraining, TrainChoosesAThresholdUnlessItIsToldNotTo) {
  make_data();
  const auto kept = thresholds_after({"--thresholds", "keep"});
  EXPECT_NE(thresholds_after({}), kept);
  EXPECT_EQ(thresholds_after({"--threshold", "0.5"}), kept);
  EXPECT_EQ(thresholds_after({"--preset", "paper"}), kept);
  EXPECT_THAT(run({"train", "data.arff", "-o", "m"}).err, HasSubstr("threshold: 0."));
  refuses({"train", "data.arff", "--threshold", "0.4", "--thresholds", "one"},
          "--threshold excludes --thresholds");
  refuses({"train", "data.arff", "--threshold", "0.4", "--at-recall", "0.9"},
          "--threshold excludes --thresholds");
  refuses({"tune", "data.arff", "--threshold", "0.4", "--at-recall", "0.9"},
          "--threshold excludes --thresholds");
}

TEST_F(TunedTraining, ChoosingAThresholdChangesNoWeight) {
  make_data();
  out_of({"train", "data.arff", "-o", "chosen", "--quiet", "--no-calibrate"});
  out_of({"train", "data.arff", "-o", "kept", "--thresholds", "keep", "--quiet"});
  out_of({"predict", "chosen", "data.arff", "-o", "a.csv", "--scores"});
  out_of({"predict", "kept", "data.arff", "-o", "b.csv", "--scores"});
  EXPECT_EQ(read_file(folder_ / "a.csv"), read_file(folder_ / "b.csv"));
}

TEST_F(TunedTraining, ScoresAreCalibratedUnlessThatIsUnwanted) {
  make_data();
  const std::vector<std::string> strong = {"train", "data.arff", "-o", "m", "--rho", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), strong.begin(), strong.end());
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return std::pair(json_of({"info", "m"})["scores"]["are_calibrated"].get<bool>(), result.err);
  };
  const auto [is_calibrated, told] = with({});
  EXPECT_TRUE(is_calibrated);
  EXPECT_THAT(told, HasSubstr("scores: calibrated by inner folds"));
  EXPECT_THAT(out_of({"info", "m"}), HasSubstr("calibrated probabilities"));
  EXPECT_FALSE(with({"--no-calibrate"}).first);
  EXPECT_FALSE(with({"--thresholds", "keep"}).first);
  EXPECT_FALSE(with({"--threshold", "0.4"}).first);
  EXPECT_TRUE(with({"--thresholds", "keep", "--calibrate"}).first);
}

TEST_F(TunedTraining, ThresholdsReachATargetOfRecall) {
  make_data();
  const auto low = thresholds_after({"--at-recall", "0.95"});
  const auto high = thresholds_after({"--at-precision", "0.95"});
  EXPECT_LT(low, high);
  refuses({"train", "data.arff", "--at-recall", "0.9", "--thresholds", "cardinality"},
          "need --thresholds one or per-label");
  refuses({"train", "data.arff", "--at-recall", "0.9", "--at-precision", "0.9"}, "excludes");
}

TEST_F(TunedTraining, SeveralMethodsCompeteForTheBestModel) {
  make_data();
  const auto found =
      json_of({"train", "data.arff", "--auto", "--methods", "mlknn,br", "-o", "m", "--quiet"});
  const auto& board = found["leaderboard"];
  ASSERT_EQ(board.size(), 2);
  EXPECT_GE(board[0]["mean"], board[1]["mean"]);
  EXPECT_EQ(found["report"]["method"], board[0]["method"]);
  EXPECT_THAT(out_of({"train", "data.arff", "--auto", "--methods", "mlknn,br", "-o", "m"}),
              AllOf(HasSubstr("method  average-precision"), HasSubstr("mlknn"), HasSubstr("br ")));
}

TEST_F(TunedTraining, WrongMethodsAreRefusedWithoutWork) {
  make_data();
  refuses({"train", "data.arff", "--methods", "br"}, "--auto");
  refuses({"train", "data.arff", "--auto", "--methods", "br,magic"}, "there is no method 'magic'");
  refuses({"train", "data.arff", "--auto", "--methods", "all", "--rho", "1"},
          "remove the options of methods");
}

TEST_F(TunedTraining, OutOfTimeTheBestSoFarIsTrained) {
  make_data();
  const auto result = run({"train", "data.arff", "--auto", "--budget", "0.000001s", "-o", "m"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("time was up before a setting was tried"));
  EXPECT_EQ(json_of({"info", "m"})["options"]["rho"], "0.01");
  const auto none = json_of({"tune", "data.arff", "--budget", "0.000001s"});
  EXPECT_FALSE(none["complete"].get<bool>());
  EXPECT_THAT(run({"tune", "data.arff", "--method", "br", "--budget", "10h"}).err,
              Not(HasSubstr("time was up")));
  refuses({"tune", "data.arff", "--budget", "5x"},
          "--budget must be a time such as 90s, 5m or 2h, got '5x'");
  refuses({"tune", "data.arff", "--budget", "-1s"}, "--budget must be a time");
}

}  // namespace
}  // namespace mugrad::testing
