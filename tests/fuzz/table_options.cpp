// SPDX-License-Identifier: MIT
#include "fuzz/table_options.h"

#include "data/formats/formats.h"
#include "data/formats/table/encoding.h"
#include "fuzz/support.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mugrad::fuzz {
namespace {

ReadOptions options_of(Format format, std::uint8_t bits) {
  const bool has_names = info_of(format).has_names;
  ReadOptions options{.format = format, .labels_optional = true, .missing = Missing::keep};
  if ((bits & 1U) != 0) options.label_count = has_names ? -1 : 2;
  if ((bits & 2U) != 0) options.label_count = 1;
  if ((bits & 4U) != 0) options.missing = Missing::mean;
  options.keep_ids = (bits & 8U) != 0;
  if (has_names && (bits & 16U) != 0) options.drop = {"a"};
  if (has_names && (bits & 32U) != 0) options.label_columns = {"l*"};
  if (info_of(format).has_delimiter && (bits & 128U) != 0) options.delimiter = ';';
  options.note = [](const std::string& note) { require(!note.empty(), "a note says nothing"); };
  return options;
}

Dataset read_whole(const formats::SourceText& source, const std::filesystem::path& path,
                   const ReadOptions& options) {
  Dataset data = formats::open_rows(source, path, options)->next(formats::RowSource::kAll);
  if (options.missing == Missing::mean) formats::impute_means(data.x, data.feature_names, options);
  return data;
}

bool same_number(double a, double b) noexcept { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Row `a` of one matrix has the entries of row `b` of the other; those that are zero aside, which
/// blocks of a file may store or not.
bool same_row(const Features& left, Index a, const Features& right, Index b) {
  const auto entries = [](const Features& x, Index row) {
    std::vector<std::pair<FeatureId, double>> found;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (value != 0) found.emplace_back(column, value);
    });
    return found;
  };
  return std::ranges::equal(entries(left, a), entries(right, b), [](const auto& x, const auto& y) {
    return x.first == y.first && same_number(x.second, y.second);
  });
}

void check_shape(const Dataset& data) {
  require(data.y.rows() == data.rows(), "features and labels differ in rows");
  require(data.unknown.rows() == 0 || data.unknown.rows() == data.rows(),
          "unknown labels differ in rows");
  require(data.feature_names.empty() || std::ssize(data.feature_names) == data.features(),
          "features and their names differ in number");
  require(data.label_names.empty() || std::ssize(data.label_names) == data.labels(),
          "labels and their names differ in number");
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : data.y.row(row)) {
      require(label >= 0 && label < data.labels(), "a label is not there");
    }
    data.x.for_each_in_row(row, [&](FeatureId column, double) {
      require(column >= 0 && column < data.features(), "a feature is not there");
    });
  }
}

void check_blocks(const Dataset& whole, const formats::SourceText& source,
                  const std::filesystem::path& path, const ReadOptions& options) {
  constexpr Index kBlock = 3;
  const auto rows = formats::open_rows(source, path, options);
  Index read = 0;
  for (;;) {
    const Dataset block = rows->next(kBlock);
    if (block.rows() == 0) break;
    require(read + block.rows() <= whole.rows(), "blocks have more rows than the whole");
    for (Index row = 0; row < block.rows(); ++row) {
      require(same_row(block.x, row, whole.x, read + row), "a block has other features");
      require(std::ranges::equal(block.y.row(row), whole.y.row(read + row)),
              "a block has other labels");
      require(std::ranges::equal(block.unknown_of(row), whole.unknown_of(read + row)),
              "a block has other unknown labels");
    }
    read += block.rows();
  }
  require(read == whole.rows(), "blocks have fewer rows than the whole");
}

/// What predicting does: reads for the columns that a model was trained on.
void check_encoding(const Dataset& whole, const formats::SourceText& source,
                    const std::filesystem::path& path, ReadOptions options) {
  if (whole.feature_names.empty()) return;
  options.encode_like = whole.feature_names;
  check_shape(read_whole(source, path, options));
}

}  // namespace

void read_recognised(std::string_view input) {
  if (input.empty()) return;
  constexpr const char* kPaths[] = {"no-such-folder/input", "no-such-folder/input.csv",
                                    "no-such-folder/input.txt", "no-such-folder/input.arff"};
  const std::filesystem::path path = kPaths[(static_cast<std::uint8_t>(input.front()) >> 2U) & 3U];
  const std::string_view rest = input.substr(1);
  const auto bytes = std::make_unique<char[]>(rest.size());
  std::memcpy(bytes.get(), rest.data(), rest.size());
  auto format = Format::csv;
  const bool is_recognised = accepted([&] {
    const formats::SourceText source(path.string(), std::string_view(bytes.get(), rest.size()));
    format = formats::recognise(source, path).info.format;
  });
  if (is_recognised) read_as(format, input);
}

void read_as(Format format, std::string_view input) {
  if (input.empty()) return;
  const auto options = options_of(format, static_cast<std::uint8_t>(input.front()));
  // A copy of its own, so that the address sanitizer sees a read beyond its end.
  const std::string_view rest = input.substr(1);
  const auto bytes = std::make_unique<char[]>(rest.size());
  std::memcpy(bytes.get(), rest.data(), rest.size());
  const std::filesystem::path path = "no-such-folder/input";
  std::optional<formats::SourceText> source;
  Dataset whole;
  const bool is_read = accepted([&] {
    source.emplace(path.string(), std::string_view(bytes.get(), rest.size()));
    whole = read_whole(*source, path, options);
  });
  if (!is_read) return;
  // From here on a refusal would be wrong, and ends the attack as any other exception does.
  check_shape(whole);
  check_encoding(whole, *source, path, options);
  if (options.missing != Missing::mean) check_blocks(whole, *source, path, options);
}

}  // namespace mugrad::fuzz
