// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

namespace mugrad {

/// A model on data whose labels are known, at its own thresholds.
inline Evaluation judge(const Model& model, const Matrix<double>& scores, const Dataset& data,
                        Convention convention = Convention::sklearn) {
  const BinaryMatrix* unknown = data.unknown.rows() == 0 ? nullptr : &data.unknown;
  return evaluate(scores, data.y,
                  {.thresholds = model.contents().thresholds, .convention = convention}, unknown);
}

}  // namespace mugrad
