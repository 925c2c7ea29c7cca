// SPDX-License-Identifier: MIT
#include "core/input/decompressor.h"

#include "core/input/input_name.h"
#include "support/compressed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mugrad {
namespace {

using testing::gzip;
using testing::skipped_frame;
using testing::zstd;

/// The text of a stream that is fed, and taken, in pieces of these sizes.
std::string in_pieces(const std::string& stream, std::size_t in_size, std::size_t out_size) {
  const auto decompressor = compression_of(stream)->decompressor();
  std::string text;
  std::vector<char> out(out_size);
  for (std::size_t at = 0; at < stream.size(); at += in_size) {
    std::string_view in = std::string_view(stream).substr(at, in_size);
    bool has_more = false;
    while (!in.empty() || has_more) {
      const auto step = decompressor->run(in, out);
      EXPECT_EQ(step.problem, "");
      if (!step.problem.empty()) return text;
      in.remove_prefix(step.consumed);
      text.append(out.data(), step.produced);
      has_more = step.produced == out.size();
    }
  }
  EXPECT_TRUE(decompressor->may_end());
  return text;
}

TEST(Decompressor, GivesTheSameTextInPiecesOfAnySize) {
  std::string text;
  for (int row = 0; row < 300; ++row) text += "row " + std::to_string(row * row) + ",1,0\n";
  const std::string half = text.substr(0, text.size() / 2);
  const std::string rest = text.substr(half.size());
  for (const auto& stream :
       {gzip(text), gzip(half) + gzip(rest), gzip("") + gzip(text) + gzip(""), zstd(text),
        zstd(half) + zstd(rest), skipped_frame() + zstd(half) + skipped_frame() + zstd(rest),
        zstd(text) + zstd("")}) {
    for (const std::size_t in_size : {1U, 7U, 100'000U}) {
      for (const std::size_t out_size : {1U, 64U, 100'000U}) {
        ASSERT_EQ(in_pieces(stream, in_size, out_size), text) << in_size << " " << out_size;
      }
    }
  }
}

TEST(Compression, IsRecognisedByTheFirstBytes) {
  EXPECT_EQ(compression_of(gzip("a")), &gzip_compression());
  EXPECT_EQ(compression_of(zstd("a")), &zstd_compression());
  EXPECT_EQ(compression_of(skipped_frame()), &zstd_compression());
  for (const char* const text : {"", "a", "\x1f", "\x1f\x8b", "P*M", "(\xb5/", "x,y\n1,2\n"}) {
    EXPECT_EQ(compression_of(text), nullptr) << text;
  }
}

TEST(InputName, LeavesOutTheEndingOfACompression) {
  EXPECT_EQ(without_compression("a/b.csv.gz"), "a/b.csv");
  EXPECT_EQ(without_compression("a.b/c.ARFF.ZST"), "a.b/c.ARFF");
  for (const char* const other : {"a.csv", "a", "gz", ".gz", "a.gz/b", "-"}) {
    EXPECT_EQ(without_compression(other), other);
  }
  EXPECT_EQ(data_name("a/birds.csv"), "birds");
  EXPECT_EQ(data_name("a/birds.csv.gz"), "birds");
  EXPECT_EQ(data_name("-"), "stdin");
  EXPECT_EQ(input_name("-"), "standard input");
  EXPECT_EQ(input_name("./-"), "./-");
}

}  // namespace
}  // namespace mugrad
