// SPDX-License-Identifier: MIT
// Features of dates, and what takes the place of missing ones.
#include "support/table_test.h"

#include <gmock/gmock.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using testing::row_of;
using testing::table;

class Dates : public testing::TableTest {};

TEST_F(Dates, EveryHourIsItself) {
  for (const int minute : {0, 1, 59}) {
    const auto data = read(table("d,y", 24 * 40, [&](int i) {
      return fmt::format("2026-{:02}-{:02}T{:02}:{:02},{}", i / 24 / 28 + 1, i / 24 % 28 + 1,
                         i % 24, minute, i % 2);
    }));
    for (int i = 0; i < 24 * 40; ++i) {
      const auto row = row_of(data.x, i);
      ASSERT_EQ(row[1], i / 24 / 28 + 1) << i;
      ASSERT_EQ(row[3], i % 24) << i;
      ASSERT_EQ(std::floor(row[0] + 1e-9), 20454 + (i / 24 / 28) * 31 + i / 24 % 28) << i;
    }
  }
}

TEST_F(Dates, BeforeTheEpochHaveTheirHours) {
  const auto data = read("d,y\n1969-12-31 23:00,1\n1900-02-28 00:00:01,0\n0000-01-01,1\n");
  EXPECT_THAT(row_of(data.x, 0), ElementsAre(DoubleNear(-1.0 / 24, 1e-12), 12, 3, 23));
  EXPECT_EQ(row_of(data.x, 1)[1], 2);
  EXPECT_EQ(row_of(data.x, 1)[3], 0);
  EXPECT_THAT(row_of(data.x, 2), ElementsAre(-719528, 1, 6, 0));
}

TEST_F(Dates, WithAnOffsetAreConvertedToUtc) {
  const auto data = read(
      "d,y\n2026-11-18T01:30:00+02:00,1\n2026-11-18T23:30-01,0\n2026-11-18T24:00,1\n"
      "2026-11-18 12:00,0\n");
  EXPECT_EQ(row_of(data.x, 0)[3], 23);  // of the day before
  EXPECT_EQ(std::floor(row_of(data.x, 0)[0]), 20774);
  EXPECT_EQ(row_of(data.x, 1)[3], 0);
  EXPECT_THAT(row_of(data.x, 2), ElementsAre(20776, 11, 4, 0));
  EXPECT_EQ(row_of(data.x, 3)[3], 12);
}

TEST_F(Dates, LaterThanMidnightOrOffByADayAreNone) {
  for (const auto* const time : {"24:01", "24:59", "24:00:01", "12:00+24:00", "12:60", "25:00"}) {
    const auto data = read(fmt::format("d,y\n2026-11-18 {},1\n2026-11-18 {},0\n", time, time));
    EXPECT_EQ(role_of("d"), ColumnRole::category) << time;
  }
}

TEST_F(Dates, ThatAreMissingAreTheMedianDay) {
  const auto data = read("d,y\n2026-11-18,1\n,0\n2026-11-22,1\n2026-11-19,0\n");
  EXPECT_THAT(row_of(data.x, 1), ElementsAre(20776, 11, 4, 0));
}

TEST_F(Dates, ThatAreMissingLaterAreTheMedianOrMeanDayOfTheTraining) {
  // Days 20775, 20776 and 20787; their median is the second, their mean the fifth after.
  const std::string_view text = "d,y\n2026-11-18,1\n2026-11-19,0\n2026-11-30,1\n";
  const auto median = read(text);
  EXPECT_THAT(row_of(read_like(median, "d\n2026-11-18\nNA\n").x, 1), ElementsAre(20776, 11, 4, 0));
  for (const auto missing : {Missing::mean, Missing::refuse}) {
    const auto mean = read(text, {.missing = missing});
    const auto row = row_of(read_like(mean, "d\n2026-11-18\nNA\n").x, 1);
    EXPECT_DOUBLE_EQ(row[0], (20775 + 20776 + 20787) / 3.0);
    EXPECT_THAT((std::vector<double>{row.begin() + 1, row.end()}), ElementsAre(11, 7, 8));
  }
}

TEST_F(Dates, ThatAreMissingAreTheMeanDayIfMeansAreAskedFor) {
  const auto data = read("d,y\n2026-11-18,1\n,0\n2026-11-22,1\n", {.missing = Missing::mean});
  EXPECT_THAT(row_of(data.x, 1), ElementsAre(20777, 11, 5, 0));
}

TEST_F(Dates, WithPointsHaveTheDayFirst) {
  const auto data = read("d,y\n18.11.2026,1\n1.2.1970 13:30,0\n03.01.1970,1\n31.12.1969,0\n");
  EXPECT_EQ(role_of("d"), ColumnRole::date);
  EXPECT_THAT(row_of(data.x, 0), ElementsAre(20775, 11, 3, 0));
  EXPECT_THAT(row_of(data.x, 1), ElementsAre(31 + 13.5 / 24, 2, 7, 13));
  EXPECT_THAT(row_of(data.x, 2), ElementsAre(2, 1, 6, 0));
  EXPECT_EQ(row_of(data.x, 3)[0], -1);
  for (const auto* text :
       {"18.13.2026", "0.1.2026", "30.2.2026", "1.1.26", "1.1.2026x", "111.1.2026"}) {
    read(fmt::format("d,y\n{0},1\n{0},0\n", text));
    EXPECT_EQ(role_of("d"), ColumnRole::category) << text;
  }
}

}  // namespace
}  // namespace mugrad
