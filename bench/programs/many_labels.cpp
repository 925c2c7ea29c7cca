// SPDX-License-Identifier: MIT
// Trains on generated data with many labels, once: seconds, and the most memory the process had.
// A process of its own per size, since the peak of a process never falls.
#include "programs/clock.h"
#include "programs/program.h"
#include "programs/sparse_rows.h"
#include "programs/time_limit.h"

#include <mugrad/method/mgd.h>

#include <sys/resource.h>

namespace {

/// Bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace mugrad;
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv,
                                  {{"threads", 2},
                                   {"labels", 1000},
                                   {"rows", 100'000},
                                   {"features", 10'000},
                                   {"nonzeros", 50},
                                   {"cardinality", 5},
                                   {"neighbours", 10},
                                   {"rho", 0.1},
                                   {"sigma", 0.1},
                                   {"tolerance", 1e-2},
                                   {"most_seconds", 3600}});
    const auto data = sparse_rows({.rows = given["rows"],
                                   .features = given["features"],
                                   .labels = given["labels"],
                                   .nonzeros = given["nonzeros"],
                                   .cardinality = given["cardinality"]});
    const double before = peak_memory();
    const MgdOptions options{.rho = given["rho"],
                             .sigma = given["sigma"],
                             .neighbours = given["neighbours"].get<Index>(),
                             .tolerance = given["tolerance"],
                             .threads = {.count = given["threads"]}};
    Json result = given;
    TimeLimit limit(given["most_seconds"]);
    const Stopwatch watch;
    try {
      const auto solve = fit(data, options, &limit).contents().report.solve.value();
      result["passes"] = solve.effort;
      result["stop"] = solve.stop;
    } catch (const InterruptedError&) {
      result["passes"] = limit.passes();
      result["stop"] = "time limit";
    }
    result["seconds"] = watch.seconds();
    result["data_bytes"] = before;
    result["peak_bytes"] = peak_memory();
    print(result);
  });
}
