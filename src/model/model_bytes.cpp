// SPDX-License-Identifier: MIT
#include "model/model_bytes.h"

#include "core/growing_memory.h"

#include <variant>

namespace mugrad {
namespace {

double bytes_of_texts(const std::vector<std::string>& texts) noexcept {
  const std::size_t beside = std::string().capacity();  // a text so long has no bytes apart
  double sum = bytes_of(texts);
  for (const std::string& text : texts) {
    if (text.capacity() > beside) sum += static_cast<double>(text.capacity() + 1);
  }
  return sum;
}

template <class Real>
double bytes_of_matrix(const Matrix<Real>& matrix) noexcept {
  return static_cast<double>(matrix.values().size_bytes());
}

}  // namespace

double bytes_of(const ModelContents& contents) noexcept {
  const auto& statistics = contents.representation;
  const auto& relations = contents.relations;
  const auto& curvature = contents.curvature;
  return bytes_of_texts(contents.feature_names) + bytes_of_texts(contents.label_names) +
         bytes_of(contents.encoding.columns) + bytes_of(statistics.mean) +
         bytes_of(statistics.deviation) + bytes_of(statistics.term_weight) +
         bytes_of_matrix(statistics.gaussian.centres) +
         bytes_of_matrix(statistics.gaussian.projection) +
         std::visit([](const auto& weights) { return bytes_of_matrix(weights); },
                    contents.weights) +
         bytes_of(contents.intercepts) + bytes_of(contents.thresholds) +
         bytes_of(contents.calibration.slope) + bytes_of(contents.calibration.shift) +
         bytes_of(relations.row_start) + bytes_of(relations.column) + bytes_of(relations.value) +
         bytes_of(curvature.examples) + bytes_of_matrix(curvature.diagonal) +
         bytes_of_matrix(curvature.factor) + bytes_of(contents.trained_on.hash) +
         bytes_of(contents.trained_on.count);
}

}  // namespace mugrad
