// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/random.h>
#include <mugrad/data/files.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace mugrad {
namespace {

using testing::DataFiles;
using testing::row_of;

/// Rows of numbers, of which this share is not zero, as dense ARFF or as CSV; a label at the end.
std::string table(bool is_arff, Index rows, Index columns,
                  const std::function<double(Index row)>& density) {
  RandomStream random(1, "storage-test");
  std::string text = is_arff ? "@relation r\n" : "";
  for (Index k = 0; k <= columns; ++k) {
    const std::string name = k == columns ? "label" : "x" + std::to_string(k);
    text += is_arff ? "@attribute " + name + " numeric\n" : name + (k == columns ? "\n" : ",");
  }
  if (is_arff) text += "@data\n";
  for (Index row = 0; row < rows; ++row) {
    for (Index k = 0; k < columns; ++k) {
      text += random.uniform() < density(row) ? "1.5," : "0,";
    }
    text += row % 2 == 0 ? "1\n" : "0\n";
  }
  return text;
}

const ReadOptions kLast{.label_count = -1};

TEST(Storage, OfDenseRowsIsSparseWhereFewAreNotZero) {
  for (const bool is_arff : {true, false}) {
    DataFiles files;
    const std::string name = is_arff ? "t.arff" : "t.csv";
    const auto stored = [&](double density) {
      const auto text = table(is_arff, 200, 50, [=](Index) { return density; });
      return files.read(name, text, kLast).x.is_sparse();
    };
    EXPECT_TRUE(stored(0));
    EXPECT_TRUE(stored(0.017));
    EXPECT_TRUE(stored(0.2));
    EXPECT_FALSE(stored(0.5));
    EXPECT_FALSE(stored(1));
  }
}

TEST(Storage, ChangesNoValue) {
  DataFiles files;
  const auto text = table(true, 100, 30, [](Index) { return 0.05; });
  const auto found = files.read("t.arff", text, kLast);
  ASSERT_TRUE(found.x.is_sparse());
  // One row that is written sparse says nothing else.
  const auto expected = files.read("s.arff", text + "{0 2.5, 30 1}\n", kLast);
  for (Index row = 0; row < found.rows(); ++row) {
    EXPECT_EQ(row_of(found.x, row), row_of(expected.x, row));
    EXPECT_EQ(testing::labels_of(found, row), testing::labels_of(expected, row));
  }
  EXPECT_EQ(found.feature_names, expected.feature_names);
}

TEST(Storage, CountsTheColumnsThatNominalsBecome) {
  DataFiles files;
  std::string text = "a,b,label\n";
  for (int row = 0; row < 120; ++row) {
    text += "v" + std::to_string(row % 40) + ",w" + std::to_string(row % 30) + ",1\n";
  }
  const auto data = files.read("t.csv", text, kLast);
  EXPECT_EQ(data.features(), 70);
  EXPECT_TRUE(data.x.is_sparse());  // 2 of 70 in each row
  EXPECT_EQ(data.x.nonzeros(), 240);
  EXPECT_EQ(testing::entry(data.x, 41, 1), 1);
}

TEST(Storage, KeepsMissingValuesAndImputesTheSameMeans) {
  DataFiles files;
  std::string text = "a,b,c,d,e,f,g,h,i,j,k,label\n";
  for (int row = 0; row < 40; ++row) {
    text += row == 3        ? ",0,0,0,0,0,0,0,0,0,0,1\n"
            : row % 10 == 0 ? "2,0,0,0,0,0,0,0,0,0,0,0\n"
                            : "0,0,0,0,0,0,0,0,0,0,0,0\n";
  }
  auto options = kLast;
  options.missing = Missing::keep;
  const auto kept = files.read("t.csv", text, options);
  ASSERT_TRUE(kept.x.is_sparse());
  EXPECT_TRUE(std::isnan(testing::entry(kept.x, 3, 0)));
  options.missing = Missing::mean;
  EXPECT_DOUBLE_EQ(testing::entry(files.read("t.csv", text, options).x, 3, 0), 8.0 / 39);
}

/// Whatever the size of blocks, they are parts of what is read at once: a row's scores may depend,
/// in their last bits, on how it is stored.
TEST(Storage, IsTheSameInBlocksAsForAllRowsAtOnce) {
  const std::function<double(Index)> densities[] = {
      [](Index) { return 0.02; }, [](Index) { return 0.5; },
      [](Index row) { return row < 2048 ? 0.02 : 0.9; },
      [](Index row) { return row < 2048 ? 0.9 : 0.02; },
      [](Index row) { return row < 100 ? 0.9 : 0.001; }};
  for (const bool is_arff : {true, false}) {
    for (const auto& density : densities) {
      DataFiles files;
      const std::string name = is_arff ? "t.arff" : "t.csv";
      const auto whole = files.read(name, table(is_arff, 2500, 10, density), kLast);
      for (const Index rows : {7, 2048, 10'000}) {
        BlockReader reader(files / name, kLast, rows);
        Dataset block;
        Index begin = 0;
        while (reader.next(block)) {
          ASSERT_EQ(block.x.is_sparse(), whole.x.is_sparse());
          for (Index row = 0; row < block.rows(); ++row) {
            ASSERT_EQ(row_of(block.x, row), row_of(whole.x, begin + row));
          }
          begin += block.rows();
        }
        EXPECT_EQ(begin, whole.rows());
      }
    }
  }
}

}  // namespace
}  // namespace mugrad
