// SPDX-License-Identifier: MIT
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::vector<std::string> kNames = {"sun", "sea, salt", "snow"};

TransferMatrix read(std::string_view text) {
  const testing::TemporaryFolder folder;
  return read_transfer(folder.write("t.csv", text), kNames);
}

TEST(TransferFile, MatrixIsReadRowByRow) {
  const auto transfer = read("0.5,0.5,0\n0,1,0\n0.25,0.25,0.5\n");
  EXPECT_THAT(transfer.mbar.row_columns(0), ElementsAre(0, 1));
  EXPECT_THAT(transfer.mbar.row_values(2), ElementsAre(0.25, 0.25, 0.5));
}

TEST(TransferFile, RelationsAreReadByNameAndTheRestStaysOnesOwn) {
  const auto transfer = read(
      "label,borrows_from,strength\nsun,\"sea, salt\",0.3\nsnow,sun,0.1\nsnow,\"sea, salt\",0.2\n");
  EXPECT_THAT(transfer.mbar.row_values(0), ElementsAre(0.7, 0.3));
  EXPECT_THAT(transfer.mbar.row_values(1), ElementsAre(1));
  EXPECT_THAT(transfer.mbar.row_columns(2), ElementsAre(0, 1, 2));
}

TEST(TransferFile, RefusesWithFileAndPlace) {
  EXPECT_THAT([] { read("1,0,0\n0,x,0\n0,0,1\n"); },
              ThrowsMessage<InputError>(HasSubstr("t.csv:2:3: 'x' is not a number")));
  EXPECT_THAT([] { read("1,0,0\n0,1\n0,0,1\n"); },
              ThrowsMessage<InputError>(HasSubstr("this row has 2 numbers, the ones before 3")));
  EXPECT_THAT([] { read("1,0\n0,1\n"); },
              ThrowsMessage<InputError>(HasSubstr("the transfer is 2 x 2; expected 3 x 3")));
  EXPECT_THAT([] { read("1,0,0\n0,0.5,0\n0,0,1\n"); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("t.csv"), HasSubstr("row 2 of the transfer sums to 0.5"))));
  EXPECT_THAT([] { read("label,borrows_from,strength\nsun,moon,0.3\n"); },
              ThrowsMessage<InputError>(HasSubstr("there is no label 'moon'")));
  EXPECT_THAT([] { read("label,borrows_from,strength\nsun,snow,1.3\n"); },
              ThrowsMessage<InputError>(HasSubstr("label 'sun' borrows 1.3 in total")));
  EXPECT_THAT([] { read("label,borrows_from,strength\nsun,snow,0.3\nsun,snow,0.1\n"); },
              ThrowsMessage<InputError>(
                  HasSubstr("t.csv:3:1: 'sun' already borrows from 'snow' in an earlier")));
  EXPECT_THAT([] { read("label,from,strength\nsun,snow,0.3\n"); },
              ThrowsMessage<InputError>(HasSubstr("expected the header")));
}

}  // namespace
}  // namespace mugrad
