// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"
#include "support/environment.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/data/catalog.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::EnvironmentVariable;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

/// The two files of a set below `base`, so that find_local sees it.
void put(const CatalogEntry& entry, const fs::path& base) {
  fs::create_directories(base / entry.name);
  AtomicFile(base / entry.name / entry.data.local).commit();
  AtomicFile(base / entry.name / entry.labels.local).commit();
}

TEST(Catalog, HasTheSixSetsOfThePaper) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog()) names.push_back(entry.name);
  EXPECT_THAT(names, ElementsAre("emotions", "genbase", "cal500", "enron", "corel5k", "bibtex"));
}

TEST(Catalog, NamesFilesAsTheReaderLooksForThem) {
  std::set<std::string_view> hashes;
  for (const auto& entry : catalog()) {
    const std::string name(entry.name);
    EXPECT_EQ(entry.data.local, name + ".arff");
    EXPECT_EQ(entry.labels.local, name + ".xml");
    for (const auto& file : {entry.data, entry.labels}) {
      EXPECT_THAT(std::string(file.upstream), StartsWith(name + "/"));
      EXPECT_EQ(file.sha256.size(), 64U);
      EXPECT_EQ(file.sha256.find_first_not_of("0123456789abcdef"), std::string_view::npos);
      hashes.insert(file.sha256);
    }
  }
  EXPECT_EQ(hashes.size(), 12U);
}

TEST(Catalog, IsSearchedByName) {
  ASSERT_NE(find_in_catalog("corel5k"), nullptr);
  EXPECT_EQ(find_in_catalog("corel5k")->data.upstream, "corel5k/Corel5k-sparse.arff");
  EXPECT_EQ(find_in_catalog("corel5k")->labels.upstream, "corel5k/Corel5k.xml");
  EXPECT_EQ(find_in_catalog("Emotions"), nullptr);
  EXPECT_EQ(find_in_catalog(""), nullptr);
}

TEST(CacheFolder, FollowsTheEnvironment) {
  const EnvironmentVariable home("HOME", "/home/ada");
  {
    const EnvironmentVariable cache("XDG_CACHE_HOME", "/var/cache");
    EXPECT_EQ(cache_folder(), "/var/cache/mugrad");
  }
  for (const auto& unusable : {std::optional<std::string>(), std::optional<std::string>(""),
                               std::optional<std::string>("relative")}) {
    const EnvironmentVariable cache("XDG_CACHE_HOME", unusable);
    EXPECT_EQ(cache_folder(), "/home/ada/.cache/mugrad");
  }
}

TEST(CacheFolder, NeedsAHome) {
  const EnvironmentVariable cache("XDG_CACHE_HOME", std::nullopt);
  const EnvironmentVariable home("HOME", std::nullopt);
  const EnvironmentVariable data("MUGRAD_DATA", std::nullopt);
  EXPECT_THAT([] { cache_folder(); },
              ThrowsMessage<InputError>(HasSubstr("neither XDG_CACHE_HOME nor HOME is set")));
  EXPECT_EQ(find_local(*find_in_catalog("emotions")), std::nullopt);
}

TEST(FindLocal, LooksInTheDataFolderBeforeTheCache) {
  const TemporaryFolder folder;
  const CatalogEntry& entry = *find_in_catalog("emotions");
  const EnvironmentVariable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const EnvironmentVariable data("MUGRAD_DATA", (folder / "data").string());
  EXPECT_EQ(find_local(entry), std::nullopt);
  put(entry, folder / "cache/mugrad");
  EXPECT_EQ(find_local(entry), folder / "cache/mugrad/emotions/emotions.arff");
  put(entry, folder / "data");
  EXPECT_EQ(find_local(entry), folder / "data/emotions/emotions.arff");
}

TEST(FindLocal, WantsTheLabelFileToo) {
  const TemporaryFolder folder;
  const CatalogEntry& entry = *find_in_catalog("emotions");
  const EnvironmentVariable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const EnvironmentVariable data("MUGRAD_DATA", folder.path().string());
  put(entry, folder.path());
  fs::remove(folder / "emotions/emotions.xml");
  EXPECT_EQ(find_local(entry), std::nullopt);
}

}  // namespace
}  // namespace mugrad
