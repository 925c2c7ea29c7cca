// SPDX-License-Identifier: MIT
#include "support/small_model.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <limits>

namespace mugrad::testing {

ModelContents small_model() {
  Matrix<float> weights(2, 3);
  for (Index k = 0; k < weights.size(); ++k) {
    weights.values()[static_cast<std::size_t>(k)] = 0.1F * static_cast<float>(k) - 0.25F;
  }
  CsrMatrix<double> relations{
      .cols = 3, .row_start = {0, 2, 2, 3}, .column = {1, 2, 0}, .value = {0.75, 0.25, 1}};
  return {.feature_names = {"tempo", "Höhe \"5\""},
          .label_names = {"happy", "sad", "quiet-still"},
          .representation = {.kind = RepresentationKind::zscore,
                             .mean = {1.5, -2},
                             .deviation = {0.1, 0}},
          .weights = weights,
          .intercepts = {-1, 0.1, 1e-300},
          .thresholds = {0, 0.5, 1},
          .relations = relations,
          .options = {{"rho", "0.1"}, {"sigma", "0.3"}},
          .report = {.method = "mgd",
                     .rows = 100,
                     .constant_labels = {2},
                     .warnings = {"label 'quiet-still' never occurs"},
                     .solve = SolveFacts{.solver = "plain",
                                         .stop = "converged",
                                         .effort = 12,
                                         .first_residual = 0.5,
                                         .residual = 1e-7,
                                         .minimised = 1.25,
                                         .fixed_step = FixedStep{0.02, 1.0 / 3}}},
          .trained_on = {.hash = {0, 17, std::numeric_limits<Index>::max()}, .count = {1, 98, 1}}};
}

void add_gaussian(ModelContents& contents) {
  contents.representation.kind = RepresentationKind::gaussian;
  contents.representation.gaussian = {
      .centres = {{0.5, 0}, {-1.25, 0}}, .projection = {{1, -2.0 / 3}, {0.5, 3}}, .decay = 0.1};
  Matrix<double> weights(4, 3, 1.0 / 3);
  for (Index k = 0; k < 4; ++k) weights(k, k % 3) = static_cast<double>(k) - 1.5;
  contents.weights = weights;
}

std::string file_of(std::string_view header, std::string_view data) {
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file.append(header).append(data);
}

std::string doctored(std::string_view file,
                     const std::function<void(nlohmann::json&, std::string&)>& change) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  auto header = nlohmann::json::parse(file.substr(sizeof length, length));
  std::string data(file.substr(sizeof length + length));
  change(header, data);
  return file_of(header.dump(), data);
}

}  // namespace mugrad::testing
