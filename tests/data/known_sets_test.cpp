// SPDX-License-Identifier: MIT
#include <mugrad/data/catalog.h>
#include <mugrad/data/files.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

namespace mugrad {
namespace {

struct KnownSet {
  const char* name;
  Index rows;
  Index features;
  Index labels;
  double cardinality;
  bool sparse;
};

void PrintTo(const KnownSet& set, std::ostream* out) { *out << set.name; }

class KnownSets : public ::testing::TestWithParam<KnownSet> {
 protected:
  /// The folder with one folder per set, as published by Mulan; skips the test without it.
  static std::filesystem::path file_of(const KnownSet& set) {
    return find_local(*find_in_catalog(set.name)).value_or(std::filesystem::path());
  }
};

TEST_P(KnownSets, LoadWithTheirPublishedShape) {
  const auto& set = GetParam();
  const auto path = file_of(set);
  if (path.empty())
    GTEST_SKIP() << set.name << " is not on this machine: set MUGRAD_DATA or fetch it";
  const auto data = read_dataset(path);
  EXPECT_EQ(data.rows(), set.rows);
  EXPECT_EQ(data.y.rows(), set.rows);
  EXPECT_EQ(data.features(), set.features);
  EXPECT_EQ(data.labels(), set.labels);
  EXPECT_EQ(data.feature_names.size(), static_cast<std::size_t>(set.features));
  EXPECT_EQ(data.label_names.size(), static_cast<std::size_t>(set.labels));
  // Published to three decimals, not always rounded to the nearest.
  EXPECT_NEAR(data.cardinality(), set.cardinality, 0.001);
  EXPECT_EQ(data.x.is_sparse(), set.sparse);
}

// genbase has one feature fewer than published: its identifier is left out. Its rows are written
// dense and hold so few ones that they are stored sparse.
INSTANTIATE_TEST_SUITE_P(Mulan, KnownSets,
                         ::testing::Values(KnownSet{"emotions", 593, 72, 6, 1.869, false},
                                           KnownSet{"genbase", 662, 1185, 27, 1.252, true},
                                           KnownSet{"cal500", 502, 68, 174, 26.044, false},
                                           KnownSet{"enron", 1702, 1001, 53, 3.378, true},
                                           KnownSet{"corel5k", 5000, 499, 374, 3.522, true},
                                           KnownSet{"bibtex", 7395, 1836, 159, 2.402, true}),
                         [](const auto& set) { return std::string(set.param.name); });

}  // namespace
}  // namespace mugrad
