// SPDX-License-Identifier: MIT
// Data from compressed files, pipes and standard input are those of the plain file.
#include "support/compressed.h"
#include "support/data_files.h"
#include "support/streams.h"

#include <mugrad/core/error.h>
#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using testing::FedPipe;
using testing::gzip;
using ::testing::HasSubstr;
using testing::StandardInput;
using testing::zstd;

void expect_equal(const Dataset& data, const Dataset& expected) {
  EXPECT_EQ(data.name, expected.name);
  EXPECT_TRUE(data.x == expected.x);
  EXPECT_TRUE(data.y == expected.y);
  EXPECT_TRUE(data.unknown == expected.unknown);
  EXPECT_EQ(data.feature_names, expected.feature_names);
  EXPECT_EQ(data.label_names, expected.label_names);
  EXPECT_EQ(data.widths_inferred, expected.widths_inferred);
}

/// The blocks of a file, each as a data set.
std::vector<Dataset> blocks_of(const fs::path& path, const ReadOptions& options) {
  constexpr Index kRows = 100;
  std::vector<Dataset> blocks;
  BlockReader reader(path, options, kRows);
  for (Dataset block; reader.next(block);) blocks.push_back(block);
  EXPECT_EQ(reader.share_read(), 1);
  return blocks;
}

class CompressedFiles : public ::testing::Test {
 protected:
  /// The content of a file in each way of compressing it.
  static std::vector<std::string> variants_of(const std::string& content) {
    const auto half = content.substr(0, content.size() / 2);
    const auto rest = content.substr(half.size());
    return {gzip(content), gzip(half) + gzip(rest), zstd(content), zstd(half) + zstd(rest)};
  }
  /// Every way of reading gives what the plain file gave.
  static void expect_same(const fs::path& path, const Dataset& whole,
                          const std::vector<Dataset>& blocks, const ReadOptions& options) {
    Dataset data = read_dataset(path, options);
    data.name = whole.name;  // a pipe has another
    expect_equal(data, whole);
    const auto read = blocks_of(path, options);
    ASSERT_EQ(read.size(), blocks.size());
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      EXPECT_TRUE(read[k].x == blocks[k].x && read[k].y == blocks[k].y) << k;
    }
  }

  testing::DataFiles files;
  const Dataset data =
      generate({.rows = 250, .features = 6, .labels = 4, .cardinality = 2, .density = 0.5}).data;
};

TEST_F(CompressedFiles, OfEveryFormatAreReadAsPlainOnes) {
  for (const FormatInfo& info : file_formats()) {
    SCOPED_TRACE(info.name);
    const std::string ending(info.endings.front());
    const auto path = files / ("data" + ending);
    write_dataset(data, path);
    const std::string content = testing::read_file(path);
    ReadOptions options;
    if (!info.declares_labels) options.label_count = -4;
    const Dataset whole = read_dataset(path, options);
    const auto blocks = blocks_of(path, options);
    // Label XML beside the file cannot be found from a pipe.
    ReadOptions of_pipe = options;
    if (info.has_label_file) of_pipe.labels_xml = files / "data.xml";
    int number = 0;
    for (const auto& variant : variants_of(content)) {
      const auto compressed = files.write("data" + ending + (number < 2 ? ".gz" : ".zst"), variant);
      EXPECT_EQ(recognise_format(compressed), info.format);
      EXPECT_EQ(promised_shape(compressed, options).has_value(),
                promised_shape(path, options).has_value());
      EXPECT_EQ(read_dataset(compressed, options).name, whole.name);
      expect_same(compressed, whole, blocks, options);
      const FedPipe one(files / "pipe", variant);
      Dataset piped = read_dataset(one.path(), of_pipe);
      piped.name = whole.name;
      expect_equal(piped, whole);
      fs::remove(one.path());
      const int descriptor = open(compressed.c_str(), O_RDONLY | O_CLOEXEC);
      const StandardInput given(descriptor);
      close(descriptor);
      expect_same("-", whole, blocks, of_pipe);
      ++number;
    }
  }
}

TEST_F(CompressedFiles, HaveTheNameAndTheFormatOfWhatIsInThem) {
  // Its content does not decide: two columns of numbers, or labels without features.
  const std::string content = "1,2,3\n4,5,6\n";
  EXPECT_EQ(recognise_format(files.write("a.csv.gz", gzip(content))), Format::csv);
  EXPECT_EQ(recognise_format(files.write("a.svm.zst", zstd(content))), Format::libsvm);
  EXPECT_EQ(files.read("a.svm.ZST", zstd(content)).name, "a");
  EXPECT_EQ(files.read("birds.csv.gz", gzip("x,y\n1,0\n2,1\n"), {.label_count = -1}).name, "birds");
}

TEST_F(CompressedFiles, HaveTheirLabelFileBesideThem) {
  write_dataset(data, files / "data.arff");
  const auto content = testing::read_file(files / "data.arff");
  const auto labels = files.read("data.arff.gz", gzip(content)).label_names;
  EXPECT_EQ(labels, data.label_names);
  EXPECT_EQ(files.read("data-train.arff.zst", zstd(content)).label_names, labels);
  const auto xml = testing::read_file(files / "data.xml");
  const auto compressed_xml = files.write("other.xml.gz", gzip(xml));
  EXPECT_EQ(files.read("other.arff", content, {.labels_xml = compressed_xml}).label_names, labels);
}

TEST_F(CompressedFiles, AreNamedInErrorsWithThePositionInTheText) {
  EXPECT_EQ(files.error("a.csv.gz", gzip("x,y\n1,0\n1\n"), {.label_count = -1}),
            "a.csv.gz:3:1: this row has 1 values separated by ',', expected 2, one per column");
  EXPECT_THAT(files.error("a.svm.gz", gzip(std::string("0 1:1\n0 \0001:1\n", 13))),
              HasSubstr("a.svm.gz:2:3: byte 0x00 does not occur in text"));
  EXPECT_EQ(files.error("a.csv.zst", zstd("")), "a.csv.zst is empty");
  EXPECT_THAT(files.error("a.gz", gzip(gzip("x,y\n"))), HasSubstr("byte 0x1f does not occur"));
  EXPECT_THAT(files.error("a.arff.gz", gzip("@relation r\n@attribute x numeric\n@data\n1\n")),
              HasSubstr("there is no a.xml, and no -C"));
}

TEST_F(CompressedFiles, OfStandardInputAreCalledSo) {
  const auto error_from = [&](const std::string& content, const ReadOptions& options) {
    const FedPipe pipe(files / "pipe", content);
    const int descriptor = open(pipe.path().c_str(), O_RDONLY | O_CLOEXEC);
    const StandardInput given(descriptor);
    close(descriptor);
    fs::remove(pipe.path());
    return files.error_of([&] { read_dataset("-", options); });
  };
  EXPECT_EQ(
      error_from("x,y\n1,0\n1\n", {.label_count = -1}),
      "standard input:3:1: this row has 1 values separated by ',', expected 2, one per column");
  EXPECT_THAT(error_from("x,y\n1,0\n", {.label_columns = {"z"}}),
              HasSubstr("which no attribute of standard input has"));
  EXPECT_THAT(error_from("@relation r\n@attribute x numeric\n@data\n1\n", {}),
              HasSubstr("there is no label file beside it"));
}

TEST_F(CompressedFiles, CannotBeWritten) {
  EXPECT_THAT(files.error_of([&] { write_dataset(data, files / "a.csv.gz"); }),
              HasSubstr("names no format"));
}

}  // namespace
}  // namespace mugrad
