// SPDX-License-Identifier: MIT
// What version 0.1 did with 3,000 support tickets was wrong or misleading in these ways.
#include "support/tickets.h"

#include "support/command_test.h"
#include "support/compressed.h"
#include "support/streams.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace mugrad::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kTickets = 3000;

class Tickets : public CommandTest {
 protected:
  void SetUp() override { folder_.write("tickets.csv", tickets_csv(tickets_)); }

  /// The columns that `info` shows, by name.
  std::map<std::string, json> columns_of(const std::string& file) const {
    std::map<std::string, json> columns;
    const auto document = json_of({"info", "-q", file});
    for (const auto& column : document["columns"]) {
      columns[column["name"].get<std::string>()] = column;
    }
    return columns;
  }
  /// Trains on a file with its topics as labels; what it said.
  std::string trained_on(const std::string& file, std::vector<std::string> more = {}) const {
    std::vector<std::string> call = {"train", file, "--tags", "topics", "-o", "model"};
    call.insert(call.end(), more.begin(), more.end());
    const auto result = run(call);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  }
  double macro_f1_on(const std::string& file) const {
    return json_of({"evaluate", "-q", "model", file})["metrics"]["macro-f1"];
  }
  /// All but the last thousand tickets in one file, these in another.
  void write_parts() const {
    folder_.write("train.csv", tickets_csv({tickets_.begin(), tickets_.end() - 1000}));
    folder_.write("test.csv", tickets_csv({tickets_.end() - 1000, tickets_.end()}));
  }

  std::vector<Ticket> tickets_ = random_tickets(kTickets);
};

TEST_F(Tickets, ATextIsReadForItsWordsAndNotDroppedAsAnIdentifier) {
  const auto columns = columns_of("tickets.csv");
  EXPECT_EQ(columns.at("text")["role"], "text");
  EXPECT_EQ(columns.at("plan")["role"], "category");
  EXPECT_EQ(columns.at("age")["role"], "number");
  EXPECT_EQ(columns.at("opened")["role"], "date");
  EXPECT_EQ(columns.at("id")["role"], "identifier");
  write_parts();
  EXPECT_THAT(trained_on("train.csv"), HasSubstr("\n  text        text\n"));
  EXPECT_GT(macro_f1_on("test.csv"), 0.95);
  folder_.write(
      "new.csv",
      "id,text,plan,age,opened,topics\n"
      "T-1,Ticket 8: please refund the payment since we need this,pro,30,2026-01-02,\n"
      "T-2,Ticket 9: hello please help we have to reset the password,free,30,2026-01-02,\n");
  EXPECT_EQ(out_of({"predict", "-q", "model", "new.csv"}),
            "row,id,labels\n1,T-1,billing\n2,T-2,login\n");
}

TEST_F(Tickets, TwoTextsThatAreAlikeDoNotMakeEveryTextAFeature) {
  tickets_[1].text = tickets_[0].text;
  folder_.write("alike.csv", tickets_csv(tickets_));
  EXPECT_EQ(columns_of("alike.csv").at("text")["role"], "text");
  const auto features = [&](const std::string& file) {
    return json_of({"info", "-q", file, "--tags", "topics"})["features"].get<int>();
  };
  EXPECT_NEAR(features("alike.csv"), features("tickets.csv"), 20);
}

TEST_F(Tickets, ACellOfSeveralTopicsListsLabels) {
  const auto result = run({"train", "tickets.csv", "--tags", "topics", "-o", "model"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("tickets.csv: 5 labels, from --tags topics\n"));
  EXPECT_THAT(result.err, HasSubstr("\n  tags        topics (separated by ';', empty in "));
  const auto evaluated = json_of({"evaluate", "-q", "model", "tickets.csv"});
  EXPECT_EQ(evaluated["labels"], 5);
  EXPECT_EQ(evaluated["examples"], kTickets);
}

TEST_F(Tickets, EveryFormOfTicketsIsReadAlike) {
  const auto tickets = random_tickets(300);
  const std::string csv = tickets_csv(tickets), lines = tickets_jsonl(tickets);
  const std::map<std::string, std::string> files = {{"commas.csv", csv},
                                                    {"semicolons.csv", tickets_csv(tickets, ';')},
                                                    {"tabs.tsv", tickets_csv(tickets, '\t')},
                                                    {"bars.csv", tickets_csv(tickets, '|')},
                                                    {"lines.jsonl", lines},
                                                    {"small.csv.gz", gzip(csv)},
                                                    {"small.jsonl.zst", zstd(lines)},
                                                    {"marked.csv", "\xEF\xBB\xBF" + csv}};
  folder_.write("all.csv", csv);
  trained_on("all.csv");
  const auto scores = out_of({"predict", "-q", "model", "all.csv", "--scores"});
  const auto facts = [&](const std::string& file) {
    auto found = json_of({"info", "-q", file, "--tags", "topics"});
    found.erase("name");
    auto& columns = found["columns"];
    columns.erase(
        std::ranges::find(columns, "topics", [](auto& column) { return column["name"]; }));
    return found;
  };
  const auto expected = facts("all.csv");
  for (const auto& [name, bytes] : files) {
    SCOPED_TRACE(name);
    folder_.write(name, bytes);
    EXPECT_EQ(facts(name), expected);
    EXPECT_EQ(out_of({"predict", "-q", "model", name, "--scores"}), scores);
    trained_on(name);
    EXPECT_EQ(out_of({"predict", "-q", "model", "all.csv", "--scores"}), scores);
  }
  const OpenPipe pipe(lines);
  const auto piped =
      run_mugrad({"predict", "-q", "model", "-", "--scores"},
                 {.folder = folder_.path(), .prepare = [&] { dup2(pipe.reader(), 0); }});
  EXPECT_EQ(piped.out, scores) << piped.err;
}

TEST_F(Tickets, OneDirtyCellLeavesANumberANumberAndIsReported) {
  const auto features = json_of({"info", "-q", "tickets.csv"})["features"];
  tickets_[1500].age = "n/k";
  folder_.write("dirty.csv", tickets_csv(tickets_));
  EXPECT_EQ(json_of({"info", "-q", "dirty.csv"})["features"], features);
  EXPECT_EQ(columns_of("dirty.csv").at("age")["odd"], 1);
  EXPECT_THAT(trained_on("dirty.csv"),
              HasSubstr("1 cell of column 'age' is no number, such as 'n/k' on line 1502: counted "
                        "as missing"));
}

TEST_F(Tickets, InfoLooksAtAFileWithMissingValues) {
  const auto result = run({"info", "tickets.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto missing = std::ranges::count(tickets_, "", &Ticket::age);
  ASSERT_GT(missing, 0);
  EXPECT_EQ(columns_of("tickets.csv").at("age")["missing"], missing);
  EXPECT_THAT(result.out, HasSubstr(fmt::format("{} missing", missing)));
  EXPECT_THAT(result.out, HasSubstr("T-00001"));
}

TEST_F(Tickets, TrainingDoesNotPraiseItselfOnItsOwnRows) {
  const auto result = run({"train", "tickets.csv", "--tags", "topics", "-o", "model"});
  for (const char* const metric : {"f1", "accuracy", "precision", "loss"}) {
    EXPECT_THAT(result.out, Not(HasSubstr(metric)));
  }
}

TEST_F(Tickets, ScoresOfTheTrainingRowsAreCalledTrainingScores) {
  write_parts();
  trained_on("train.csv");
  EXPECT_THAT(
      out_of({"evaluate", "-q", "model", "train.csv"}),
      EndsWith("\nAll of these rows are among those that the model was trained on: these are "
               "training scores, and those of new rows will be worse\n"));
  EXPECT_EQ(json_of({"evaluate", "-q", "model", "train.csv"})["trained_on"]["share"], 1);
  EXPECT_THAT(out_of({"evaluate", "-q", "model", "test.csv"}), Not(HasSubstr("trained on")));
  EXPECT_EQ(json_of({"evaluate", "-q", "model", "test.csv"})["trained_on"]["share"], 0);
}

TEST_F(Tickets, TrainingRowsAmongThoseEvaluatedAreCounted) {
  write_parts();
  trained_on("train.csv");
  folder_.write("mixed.csv", tickets_csv({tickets_.begin() + 1500, tickets_.begin() + 2500}));
  const auto share = json_of({"evaluate", "-q", "model", "mixed.csv"})["trained_on"]["share"];
  EXPECT_NEAR(share.get<double>(), 0.5, 0.2);
  EXPECT_THAT(
      out_of({"evaluate", "-q", "model", "mixed.csv"}),
      EndsWith(" % of these rows are also among those that the model was trained on: scores "
               "of new rows may be worse\n"));
}

TEST_F(Tickets, RowsThatAlsoRepeatInTrainingAreNoSignOfTrainingRows) {
  // Of few different rows, new ones equal training rows.
  std::string train = "a,b,c,y,z\n", test = train;
  for (int i = 0; i < 400; ++i) {
    const auto bits = random_tickets(1, static_cast<std::uint64_t>(i))[0].text.size();
    (i < 200 ? train : test) +=
        fmt::format("{},{},{},{},{}\n", i % 3, i % 2, i % 5, bits % 2, (bits / 2) % 2);
  }
  folder_.write("train.csv", train);
  folder_.write("test.csv", test);
  out_of({"train", "train.csv", "--label-columns", "y,z", "-o", "model"});
  const auto found = json_of({"evaluate", "-q", "model", "test.csv", "--label-columns", "y,z"});
  EXPECT_EQ(found["trained_on"]["share"], 1);
  EXPECT_EQ(found["trained_on"]["repeated_in_training"], 1);
  EXPECT_THAT(out_of({"evaluate", "-q", "model", "test.csv", "--label-columns", "y,z"}),
              Not(HasSubstr("trained on")));
}

TEST_F(Tickets, ASplitSaysHowManyTestRowsAreAlsoTrainingRows) {
  auto doubled = random_tickets(100);
  const auto once = doubled;
  doubled.insert(doubled.end(), once.begin(), once.end());
  folder_.write("doubled.csv", tickets_csv(doubled));
  const auto result = run({"split", "doubled.csv", "--tags", "topics", "-o", "parts", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const int repeated = json::parse(result.out)["splits"][0]["test_rows_in_train"];
  EXPECT_GT(repeated, 20);
  EXPECT_THAT(result.err, HasSubstr(fmt::format("{} of 40 test rows ({:.0f} %) equal a training "
                                                "row in all features",
                                                repeated, repeated / 0.4)));
  EXPECT_THAT(run({"split", "tickets.csv", "--tags", "topics", "-o", "more"}).err,
              Not(HasSubstr("equal a training row")));
}

TEST_F(Tickets, ANumberOfRowsSortedByTopicIsReported) {
  std::ranges::stable_sort(tickets_, {}, &Ticket::topics);
  for (int i = 0; i < kTickets; ++i) {
    tickets_[static_cast<std::size_t>(i)].age = fmt::format("{}", 1000 + i);
  }
  folder_.write("sorted.csv", tickets_csv(tickets_));
  const std::string warning =
      "warning: the column 'age' counts through rows that seem to be sorted by label 'billing'";
  EXPECT_THAT(trained_on("sorted.csv"), AllOf(HasSubstr(warning), HasSubstr("use --id age\n")));
  EXPECT_THAT(json_of({"info", "model"})["report"]["warnings"].dump(), HasSubstr("'age'"));
  EXPECT_THAT(trained_on("sorted.csv", {"--id", "age"}), Not(HasSubstr("warning")));
}

TEST_F(Tickets, AColumnThatGivesATopicAwayIsReported) {
  for (auto& ticket : tickets_) {
    const bool is_billing = std::ranges::count(ticket.topics, "billing") > 0;
    ticket.plan = is_billing ? "paid back" : ticket.plan;
  }
  folder_.write("leak.csv", tickets_csv(tickets_));
  EXPECT_THAT(trained_on("leak.csv"),
              AllOf(HasSubstr("warning: the column 'plan' alone tells label 'billing' nearly "
                              "without error"),
                    HasSubstr("use --drop plan\n")));
  EXPECT_THAT(trained_on("leak.csv", {"--drop", "plan"}), Not(HasSubstr("warning")));
  EXPECT_THAT(trained_on("tickets.csv"), Not(HasSubstr("warning")));
}

TEST_F(Tickets, ACategoryThatNamesCustomersIsReported) {
  for (int i = 0; i < kTickets; ++i) {
    tickets_[static_cast<std::size_t>(i)].plan = fmt::format("c{}", (i * 7) % 2000);
  }
  folder_.write("customers.csv", tickets_csv(tickets_));
  EXPECT_THAT(trained_on("customers.csv"),
              HasSubstr("'plan' has 2000 different values in 3000 rows, so that most say little "
                        "about other rows: if it names something, use --id plan\n"));
  EXPECT_THAT(trained_on("customers.csv", {"--id", "plan"}), Not(HasSubstr("different values")));
}

}  // namespace
}  // namespace mugrad::testing
