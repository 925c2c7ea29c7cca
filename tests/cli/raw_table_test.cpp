// SPDX-License-Identifier: MIT
// Records as people have them, through train, predict and evaluate.
#include "support/command_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;

/// Tickets about refunds and crashes, every third of them urgent, with gaps in every column.
std::string tickets() {
  std::string text = "ticket,opened,paid,plan,age,body,topics\n";
  for (int i = 0; i < 240; ++i) {
    const bool is_crash = i % 2 == 1;
    const bool is_urgent = i % 3 == 0;
    text += fmt::format("T-{},{},{},{},{},{} number{} {},{}{}\n", i,
                        i % 20 == 5 ? "" : fmt::format("2026-{:02}-1{}", 1 + i % 9, i % 10),
                        i % 6 == 4 ? ""
                        : is_crash ? "no"
                                   : "yes",
                        i % 15 == 7  ? "N/A"
                        : i % 5 == 0 ? "gold"
                                     : "tin",
                        i % 9 == 0 ? "NA" : std::to_string(i % 50),
                        is_crash ? "the window freezes after update" : "please refund invoice",
                        i % 7, is_urgent ? "right now" : "some day", is_crash ? "bug" : "billing",
                        is_urgent ? ";urgent" : "");
  }
  return text;
}

class RawTables : public CommandTest {
 protected:
  RawTables() {
    folder_.write("tickets.csv", tickets());
    out_of({"train", "tickets.csv", "--tags", "topics", "--text", "body", "-o", "model", "-q"});
  }
};

TEST_F(RawTables, AreEvaluatedByTheModelOfTheirColumns) {
  EXPECT_EQ(json_of({"evaluate", "model", "tickets.csv"})["metrics"]["macro-f1"], 1);
}

TEST_F(RawTables, ArePredictedInAnyOrderOfColumnsAndAnyFormat) {
  folder_.write("new.csv",
                "body,age,plan,paid,opened,ticket\n"
                "please refund my invoice right now,3,tin,yes,2026-02-11,N-1\n"
                "the window freezes some day,NA,lead,maybe,NA,N-2\n");
  folder_.write(
      "new.jsonl",
      R"({"ticket": "N-1", "opened": "2026-02-11", "paid": true, "plan": "tin", "age": 3, )"
      R"("body": "please refund my invoice right now"})"
      "\n"
      R"({"ticket": "N-2", "opened": null, "paid": "maybe", "plan": "lead", "age": null, )"
      R"("body": "the window freezes some day"})"
      "\n");
  for (const auto* const file : {"new.csv", "new.jsonl"}) {
    const auto result = run({"predict", "model", file});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "row,ticket,labels\n1,N-1,billing;urgent\n2,N-2,bug\n");
    EXPECT_THAT(result.err, HasSubstr("'plan' has values that the model does not know, such as "
                                      "'lead': all of its columns are 0 there"));
    EXPECT_THAT(result.err, HasSubstr("'paid' has values that the model does not know, such as "
                                      "'maybe': counted as missing"));
  }
}

TEST_F(RawTables, OfHashedTermsNeedNoVocabulary) {
  out_of({"train", "tickets.csv", "--tags", "topics", "--text", "body", "--hash-bits", "6", "-o",
          "hashed", "-q"});
  EXPECT_GT(json_of({"evaluate", "hashed", "tickets.csv"})["metrics"]["macro-f1"], 0.9);
}

TEST_F(RawTables, WithMoreHashesThanMemoryAreRefused) {
  const auto result = run({"train", "tickets.csv", "--tags", "topics", "--text", "body",
                           "--hash-bits", "24", "--memory", "500MB", "-o", "large"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("making 2^24 features of the hashed terms of 'body' would"));
  EXPECT_THAT(result.err, HasSubstr("a smaller --hash-bits would help"));
}

}  // namespace
}  // namespace mugrad::testing
