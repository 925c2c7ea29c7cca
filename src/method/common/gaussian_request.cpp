// SPDX-License-Identifier: MIT
#include "method/common/gaussian_request.h"

#include "data/gaussian_expansion.h"
#include "linalg/dense/eigenvalues.h"

#include <algorithm>

namespace mugrad {

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
  const double rows = static_cast<double>(represented.stored) *
                      (request.in_double ? sizeof(double) : sizeof(float));
  const double labels = static_cast<double>(shape.rows) * sizeof(Index) +
                        static_cast<double>(shape.positives) * sizeof(LabelId);
  // The model's, beside them first what decomposes their similarities, then those laid out for
  // products.
  const double features = GaussianExpansion::bytes(shape.features, centres);
  const double decomposing = kEigenMatrices * GaussianExpansion::bytes(0, centres);
  const MemoryNeed fitting("the centres of Gaussian features", decomposing);
  return MemoryNeed("the centres of Gaussian features", features) +
         larger(fitting,
                MemoryNeed("the examples with Gaussian features", rows + labels) +
                    larger(MemoryNeed("the centres of Gaussian features", features), inner));
}

}  // namespace mugrad
