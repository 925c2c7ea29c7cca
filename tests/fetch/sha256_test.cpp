// SPDX-License-Identifier: MIT
#include "fetch/sha256.h"

#include "core/mapped_file.h"

#include <mugrad/data/catalog.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes.substr(0, bytes.size() / 2));
  hash.update(bytes.substr(bytes.size() / 2));
  return hash.finish();
}

TEST(Sha256, AgreesWithTheStandard) {
  // The examples of FIPS 180-2.
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Catalog, HashesAreThoseOfTheFiles) {
  for (const auto& entry : catalog()) {
    const auto local = find_local(entry);
    if (!local)
      GTEST_SKIP() << entry.name << " is not on this machine: set MUGRAD_DATA or fetch it";
    for (const auto& file : {entry.data, entry.labels}) {
      const fs::path path = local->parent_path() / file.local;
      EXPECT_EQ(sha256_of(MappedFile(path).bytes()), file.sha256) << path;
      EXPECT_EQ(fs::file_size(path), static_cast<std::uintmax_t>(file.bytes)) << path;
    }
  }
}

}  // namespace
}  // namespace mugrad
