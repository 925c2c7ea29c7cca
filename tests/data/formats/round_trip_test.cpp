// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <span>

namespace mugrad {
namespace {

const std::span<const FormatInfo> kFormats = file_formats();

/// Stand for characters of two and of three bytes, the second for one that can be a byte order
/// mark.
constexpr char kAccented = '\x01';
constexpr char kMark = '\x02';

void replace_all(std::string& text, char what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.replace(at, 1, with);
  }
}

/// Names with everything that needs care, all different.
rc::Gen<std::vector<std::string>> names(Index count, const std::string& prefix) {
  const auto character =
      rc::gen::element('a', 'Z', '0', ' ', ',', '\'', '"', '\\', '%', '{', '}', '?', '#', '@', '&',
                       '<', '\n', '\t', '\r', kAccented, kMark, ':', '=', '*', ';', '|');
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(static_cast<std::size_t>(count),
                                                   rc::gen::container<std::string>(character)),
      [prefix](std::vector<std::string> parts) {
        // The number makes them differ, first or last so that any character may be at an end.
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const auto number = prefix + std::to_string(i) + "_";
          replace_all(parts[i], kAccented, "\xC3\xA9");
          replace_all(parts[i], kMark, "\uFEFF");
          parts[i] = i % 2 == 1 ? number + parts[i] : parts[i] + number;
        }
        return parts;
      });
}

double value() {
  const auto kind = *rc::gen::inRange(0, 4);
  if (kind == 0) return 0;
  if (kind == 1) return *rc::gen::inRange(-9, 10);
  if (kind == 2) return *rc::gen::inRange(-1000000, 1000000) / 1024.0;
  // Any bits that are a finite number.
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  double result = 0;
  static_assert(sizeof result == sizeof bits);
  std::memcpy(&result, &bits, sizeof result);
  return std::isfinite(result) ? result : 1;
}

Features generated_features(Index rows, Index cols, bool sparse, bool missing) {
  Matrix<double> dense(rows, cols);
  CsrMatrix<double> csr;
  csr.cols = cols;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      double x = value();
      if (missing && *rc::gen::inRange(0, 6) == 0) x = std::nan("");
      dense(i, j) = x;
      if (x != 0) {
        csr.column.push_back(static_cast<FeatureId>(j));
        csr.value.push_back(x);
      }
    }
    csr.end_row();
  }
  return sparse ? Features(csr) : Features(dense);
}

/// With so many features and labels.
Dataset generated(Index cols, Index labels, bool missing) {
  Dataset data;
  const Index rows = *rc::gen::inRange(1, 7);
  data.y.cols = labels;
  data.x = generated_features(rows, cols, *rc::gen::arbitrary<bool>(), missing);
  data.unknown.cols = data.y.cols;
  for (Index i = 0; i < rows; ++i) {
    for (LabelId label = 0; label < data.labels(); ++label) {
      const bool is_unknown = missing && *rc::gen::inRange(0, 6) == 0;
      if (is_unknown) data.unknown.column.push_back(label);
      if (!is_unknown && *rc::gen::arbitrary<bool>()) data.y.column.push_back(label);
    }
    data.y.end_row();
    data.unknown.end_row();
  }
  if (data.unknown.ones() == 0) data.unknown = {};
  if (*rc::gen::arbitrary<bool>()) {
    data.feature_names = *names(cols, "f");
    data.label_names = *names(data.labels(), "l");
  }
  data.name = *rc::gen::element<std::string>("d", "it's", "d: -x 5");
  return data;
}

Dataset generated(bool missing = false) {
  const Index cols = *rc::gen::inRange(1, 6);
  return generated(cols, *rc::gen::inRange(1, 5), missing);
}

Dataset through(const std::filesystem::path& path, const Dataset& data, Format format) {
  write_dataset(data, path, format);
  ReadOptions options{
      .format = format, .labels_optional = data.labels() == 0, .missing = Missing::keep};
  const FormatInfo& info = info_of(format);
  if (!info.declares_labels && data.labels() > 0) options.label_count = -data.labels();
  if (!info.has_names && data.labels() > 0) options.label_count = data.labels();
  return read_dataset(path, options);
}

Dataset through(const testing::DataFiles& files, const Dataset& data, Format format,
                std::string_view name = "d") {
  const auto path = files / name;
  // Replacing an ARFF file that has other labels is careful and slow; it has tests of its own.
  std::filesystem::remove(path);
  return through(path, data, format);
}

void expect_same_values(const Dataset& data, const Dataset& back) {
  RC_ASSERT(back.rows() == data.rows());
  RC_ASSERT(back.features() == data.features());
  RC_ASSERT(back.y == data.y);
  RC_ASSERT(back.unknown == data.unknown);
  for (Index i = 0; i < data.rows(); ++i) {
    const auto before = testing::row_of(data.x, i);
    const auto after = testing::row_of(back.x, i);
    for (std::size_t j = 0; j < before.size(); ++j) {
      RC_ASSERT(before[j] == after[j] || (std::isnan(before[j]) && std::isnan(after[j])));
    }
  }
}

TEST(RoundTrip, EveryFormatGivesBackWhatWasWritten) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    const auto data = generated();
    for (const FormatInfo& info : kFormats) {
      const auto back = through(files, data, info.format);
      expect_same_values(data, back);
      if (info.has_names && !data.feature_names.empty()) {
        RC_ASSERT(back.feature_names == data.feature_names);
        RC_ASSERT(back.label_names == data.label_names);
      }
      if (info.format == Format::arff) {
        RC_ASSERT(back.name == data.name);
        RC_ASSERT(back.x.is_sparse() || !data.x.is_sparse());
      }
      if (!info.has_names) RC_ASSERT(back.x.is_sparse() && back.feature_names.empty());
    }
  }));
}

TEST(RoundTrip, AnyTwoFormatsInARowKeepTheValues) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    const auto data = generated();
    for (const FormatInfo& first : kFormats) {
      const auto once = through(files, data, first.format);
      for (const FormatInfo& second : kFormats) {
        const auto back = through(files, once, second.format);
        expect_same_values(data, back);
        if (first.has_names && second.has_names && !data.feature_names.empty()) {
          RC_ASSERT(back.feature_names == data.feature_names);
          RC_ASSERT(back.label_names == data.label_names);
        }
      }
    }
  }));
}

TEST(RoundTrip, MissingValuesSurviveInFormatsWithNames) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    const auto data = generated(true);
    for (const auto format : {Format::arff, Format::csv, Format::jsonl}) {
      expect_same_values(data, through(files, data, format));
    }
  }));
}

TEST(RoundTrip, TabsSeparateCellsInAFileWhoseEndingSaysSo) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    const auto data = generated(true);
    const auto back = through(files, data, Format::csv, "d.tsv");
    expect_same_values(data, back);
    if (!data.feature_names.empty()) {
      RC_ASSERT(back.feature_names == data.feature_names);
      RC_ASSERT(back.label_names == data.label_names);
    }
    const auto text = testing::read_file(files / "d.tsv");
    RC_ASSERT(data.features() + data.labels() == 1 || text.find('\t') != text.npos);
  }));
}

TEST(RoundTrip, OneColumnKeepsItsRowsWhateverIsMissing) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    const bool is_label = *rc::gen::arbitrary<bool>();
    const auto data = generated(is_label ? 0 : 1, is_label ? 1 : 0, true);
    for (const auto format : {Format::arff, Format::csv, Format::jsonl}) {
      expect_same_values(data, through(files, data, format));
    }
  }));
}

TEST(RoundTrip, SetWithoutLabelsHasNoneWhateverWasThereBefore) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    const auto labelled = generated();
    through(files / "d", labelled, Format::arff);
    RC_ASSERT(std::filesystem::exists(files / "d.xml"));
    const auto data = generated(labelled.features(), 0, false);
    const auto back = through(files / "d", data, Format::arff);
    expect_same_values(data, back);
    RC_ASSERT(!std::filesystem::exists(files / "d.xml"));
  }));
}

TEST(RoundTrip, NameOfASetSaysNothingAboutItsLabels) {
  const testing::DataFiles files;
  for (const std::string name : {"tickets -C 1", "tickets -c -2", "a: -C 1 -V", "-C 1"}) {
    Dataset data{.name = name, .x = Matrix<double>(1, 3, 2), .y = {}};
    data.y.end_row();
    const auto back = through(files, data, Format::arff);
    EXPECT_EQ(back.labels(), 0) << name;
    EXPECT_EQ(back.features(), 3) << name;
  }
}

TEST(RoundTrip, NameThatStartsLikeAByteOrderMarkKeepsIt) {
  const testing::DataFiles files;
  Dataset data{.name = "d",
               .x = Matrix<double>(1, 1, 2),
               .y = {},
               .feature_names = {"\uFEFFx"},
               .label_names = {}};
  data.y.end_row();
  for (const auto format : {Format::arff, Format::csv, Format::jsonl}) {
    EXPECT_EQ(through(files, data, format).feature_names, data.feature_names);
  }
  // One that is there for the encoding is still none.
  EXPECT_EQ(read_dataset(files.write("marked.csv", "\uFEFFx\n2\n"), {.labels_optional = true})
                .feature_names,
            std::vector<std::string>{"x"});
}

TEST(RoundTrip, WhatIsWrittenIsRecognised) {
  const testing::DataFiles files;
  EXPECT_TRUE(rc::check([&] {
    auto data = generated();
    // Without any entry, LIBSVM rows look like a CSV of labels, and are one to a reader.
    data.x = Matrix<double>(data.rows(), data.features(), 1);
    for (const FormatInfo& info : kFormats) {
      write_dataset(data, files / "d", info.format);
      RC_ASSERT(recognise_format(files / "d") == info.format);
    }
  }));
}

TEST(RoundTrip, ArbitraryBytesNeverDoMoreThanThrowAnInputError) {
  const testing::DataFiles files;
  const std::string header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n";
  EXPECT_TRUE(rc::check([&] {
    const auto noise = *rc::gen::container<std::string>(
        rc::gen::element('0', '1', '9', 'x', 'y', ' ', ',', '{', '}', '\'', '"', '\\', ':', '-',
                         '.', 'e', '?', '\n', '%', '#', '[', ']', ';', '\t', '\r'));
    for (const FormatInfo& info : kFormats) {
      const auto path = files.write("d", (info.format == Format::arff ? header : "") + noise);
      try {
        read_dataset(path, {.format = info.format, .labels_optional = true});
      } catch (const InputError&) {
      }
    }
  }));
}

}  // namespace
}  // namespace mugrad
