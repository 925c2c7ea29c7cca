// SPDX-License-Identifier: MIT
// How fast data files are read, by one thread: sparse ARFF, LIBSVM and XMC.
#include "programs/clock.h"
#include "programs/program.h"

#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>

#include <filesystem>

namespace mugrad::bench {
namespace {

void measure(const Dataset& data, const char* values, const std::filesystem::path& folder) {
  for (const Format format : {Format::arff, Format::libsvm, Format::xmc}) {
    const auto path = folder / fmt::format("reading-{}.{}", values, to_string(format));
    const auto files = write_dataset(data, path, format);
    const double seconds = median_seconds(3, [&] {
      const auto read = read_dataset(path, {.format = format});
      if (read.rows() != data.rows()) throw Error("rows went missing");
    });
    const auto bytes = static_cast<double>(std::filesystem::file_size(path));
    print({{"format", to_string(format)},
           {"values", values},
           {"bytes", bytes},
           {"seconds", seconds}});
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
    measure(data, "decimals", folder);
    for (double& value : data.x.sparse().value) value = 1;
    measure(data, "ones", folder);
  });
}
