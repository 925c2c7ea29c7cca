// SPDX-License-Identifier: MIT
// Trains, evaluates and saves a model: first_model [DATA]. Without an argument, data is generated.
#include <mugrad/mugrad.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    const auto data = argc > 1 ? mugrad::read_dataset(argv[1]) : mugrad::generate().data;
    const auto parts = mugrad::random_split(data, {.train = 0.8, .seed = 7});

    const auto model = mugrad::fit(parts.train, mugrad::MgdOptions{.rho = 0.1, .sigma = 0.1});
    const auto scores = model.scores(parts.test.x);
    const auto quality = mugrad::evaluate(scores, parts.test.y, {.threshold = 0.3});

    std::printf("average precision %.3f, micro-F1 %.3f\n", quality["average-precision"],
                quality["micro-f1"]);
    model.save("first.mugrad");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
