// SPDX-License-Identifier: MIT
// The same features stored dense and sparse, at growing density: processor time of a few passes of
// training, and of scoring, by each. Where the two cross is where files are read as sparse.
#include "programs/clock.h"
#include "programs/program.h"

#include <mugrad/data/generator.h>
#include <mugrad/method/method.h>

namespace {

using namespace mugrad;

Dataset with_features(const Dataset& data, Features x) {
  Dataset copy = data;
  copy.x = std::move(x);
  return copy;
}

Features dense_of(const Features& sparse) {
  Matrix<double> dense(sparse.rows(), sparse.cols());
  for (Index row = 0; row < sparse.rows(); ++row) {
    sparse.for_each_in_row(row, [&](FeatureId k, double value) { dense(row, k) = value; });
  }
  return dense;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv,
                                  {{"threads", 1},
                                   {"rows", 2000},
                                   {"features", 500},
                                   {"labels", 50},
                                   {"method", "mgd"},
                                   {"options", Json::object()},
                                   {"repeats", 3},
                                   {"densities", {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5}}});
    const Threads threads{.count = given["threads"]};
    const Method& method = method_named(given["method"].get<std::string>());
    OptionValues options;
    for (const auto& [name, value] : given["options"].items()) options[name] = value;
    for (const double density : given["densities"]) {
      const Dataset sparse = generate({.rows = given["rows"],
                                       .features = given["features"],
                                       .labels = given["labels"],
                                       .density = density})
                                 .data;
      const Dataset dense = with_features(sparse, dense_of(sparse.x));
      Json line{{"method", method.name()},
                {"rows", given["rows"]},
                {"features", given["features"]},
                {"labels", given["labels"]},
                {"density", density}};
      for (const auto& [name, data] : {std::pair("dense", &dense), {"sparse", &sparse}}) {
        const auto train = [&] { return method.fit(*data, options, threads, nullptr); };
        const Model model = train();
        line[name] = {{"training", least_processor_seconds(given["repeats"], train)},
                      {"scoring", least_processor_seconds(given["repeats"], [&] {
                         return model.scores(data->x, threads);
                       })}};
      }
      print(line);
    }
  });
}
