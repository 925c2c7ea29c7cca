// SPDX-License-Identifier: MIT
// How fast data files are read, by one thread: sparse ARFF, LIBSVM and XMC, then dense tables.
#include "programs/clock.h"
#include "programs/program.h"

#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace mugrad::bench {
namespace {

/// A kind of file: its format, the ending, and what separates cells if neither says so.
struct Kind {
  Format format;
  std::string_view ending;
  char delimiter = '\0';
};
constexpr Kind kSparse[] = {
    {Format::arff, ".arff"}, {Format::libsvm, ".libsvm"}, {Format::xmc, ".xmc"}};
constexpr Kind kTables[] = {{Format::arff, ".arff"},
                            {Format::csv, ".csv"},
                            {Format::csv, ".tsv"},
                            {Format::csv, ".csv", ';'},
                            {Format::jsonl, ".jsonl"}};

/// Replaces the commas of a file without quoted cells.
void separate_by(char delimiter, const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream read;
  read << in.rdbuf();
  std::string text = std::move(read).str();
  std::ranges::replace(text, ',', delimiter);
  std::ofstream(path, std::ios::binary) << text;
}

void measure(const Dataset& data, std::span<const Kind> kinds, const char* values,
             const std::filesystem::path& folder) {
  for (const auto& [format, ending, delimiter] : kinds) {
    const auto path = folder / fmt::format("reading{}", ending);
    const auto files = write_dataset(data, path, format);
    if (delimiter != '\0') separate_by(delimiter, path);
    const ReadOptions options{.format = format, .labels_optional = true};
    const double seconds = median_seconds(3, [&] {
      const auto read = read_dataset(path, options);
      if (read.rows() != data.rows()) throw Error("rows went missing");
    });
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    std::string name(ending.substr(1));
    if (delimiter != '\0') name += fmt::format(" with {}", delimiter);
    print({{"format", name}, {"values", values}, {"bytes", bytes}, {"seconds", seconds}});
    for (const auto& file : files) std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace mugrad::bench

int main(int argc, char** argv) {
  using namespace mugrad;
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv, {{"folder", "."}, {"rows", 30000}});
    const std::filesystem::path folder = given["folder"].get<std::string>();
    // The shape of bibtex.
    auto data = generate({.rows = given["rows"],
                          .features = 1836,
                          .labels = 159,
                          .cardinality = 2.4,
                          .density = 0.037})
                    .data;
    measure(data, kSparse, "decimals", folder);
    for (double& value : data.x.sparse().value) value = 1;
    measure(data, kSparse, "ones", folder);
    // Tables have every value, so they are dense.
    auto table = generate({.rows = given["rows"], .features = 100, .labels = 10}).data;
    measure(table, kTables, "dense decimals", folder);
    for (double& value : table.x.dense().values()) value = value > 0 ? 1 : 0;
    measure(table, kTables, "dense ones", folder);
  });
}
