// SPDX-License-Identifier: MIT
// How fast sparse rows in memory are scored, in blocks, as a program that reads and writes streams
// would. Leaves model and rows as files for the program itself to be measured with, if told where.
#include "programs/clock.h"
#include "programs/program.h"
#include "programs/sparse_rows.h"

#include <mugrad/data/files.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/scorer.h>

#include <algorithm>
#include <filesystem>

int main(int argc, char** argv) {
  using namespace mugrad;
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv,
                                  {{"threads", 2},
                                   {"rows", 100'000},
                                   {"features", 1836},
                                   {"labels", 159},
                                   {"nonzeros", 68},
                                   {"precision", "float"},
                                   {"folder", ""}});
    const Threads threads{.count = given["threads"]};
    const auto data = sparse_rows({.rows = given["rows"],
                                   .features = given["features"],
                                   .labels = given["labels"],
                                   .nonzeros = given["nonzeros"]});
    // How well it is trained does not matter here.
    const Model model =
        fit(data, {.tolerance = 0.5,
                   .max_iterations = 2,
                   .precision = precision_named(given["precision"].get<std::string>()),
                   .threads = threads});

    if (const std::filesystem::path folder = given["folder"].get<std::string>(); !folder.empty()) {
      model.save(folder / "prediction.mugrad");
      write_dataset(data, folder / "prediction.svm");
    }

    constexpr Index kBlock = 1024;
    Scorer scorer(model, threads);
    Matrix<double> scores(kBlock, model.labels());
    double checksum = 0;
    const double seconds = median_seconds(5, [&] {
      for (Index row = 0; row < data.rows(); row += kBlock) {
        scorer.scores(data.x, row, std::min(row + kBlock, data.rows()), scores);
        checksum += scores(0, 0);
      }
    });
    // Read: columns and values once; written: the scores.
    const auto read = data.x.nonzeros() * static_cast<Index>(sizeof(double) + sizeof(FeatureId));
    const auto written = data.rows() * model.labels() * static_cast<Index>(sizeof(double));
    print({{"rows", data.rows()},
           {"labels", model.labels()},
           {"nonzeros", data.x.nonzeros()},
           {"seconds", seconds},
           {"bytes", read + written},
           {"checksum", checksum}});
  });
}
