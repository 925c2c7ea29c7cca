// SPDX-License-Identifier: MIT
#include "method/common/gaussian_request.h"

#include "data/gaussian_expansion.h"

#include <algorithm>
#include <cstddef>

namespace mugrad {

bool same_features(const GaussianRequest& a, const GaussianRequest& b) noexcept {
  return a.features == b.features && a.seed == b.seed && a.in_double == b.in_double;
}

std::optional<GaussianRequest> gaussian_request(const Method& method, const OptionValues& values,
                                                Threads threads) {
  const auto* const takes = dynamic_cast<const TakesGaussian*>(&method);
  return takes == nullptr ? std::nullopt : takes->gaussian_request(values, threads);
}

DataShape represented_shape(const DataShape& shape, const GaussianRequest& request) {
  DataShape represented = shape;
  represented.features += std::min(shape.rows, request.features.centres);
  represented.stored = represented.rows * represented.features;
  represented.is_sparse = false;
  return represented;
}

MemoryNeed gaussian_memory(const DataShape& shape, const GaussianRequest& request,
                           const MemoryNeed& inner) {
  const Index centres = std::min(shape.rows, request.features.centres);
  const DataShape represented = represented_shape(shape, request);
  const std::size_t entry = request.in_double ? sizeof(double) : sizeof(float);
  const double rows = static_cast<double>(represented.stored) * static_cast<double>(entry);
  const double labels = static_cast<double>(shape.rows) * sizeof(Index) +
                        static_cast<double>(shape.positives) * sizeof(LabelId);
  // The model's, and those laid out for products.
  const MemoryNeed features("the centres of Gaussian features",
                            GaussianExpansion::bytes(shape.features, centres));
  return features + MemoryNeed("the examples with Gaussian features", rows + labels) +
         larger(features, inner);
}

}  // namespace mugrad
