// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// CAMEL (Feng, An, He 2019): a kernel machine whose outputs are mixed by how labels follow from
/// each other, S, and trained so that the mixtures fit: outputs times G = (1 - a) I + a S.
struct CamelOptions {
  double collaboration = 0.5;  ///< a: how much of a label's score comes from others; in [0, 1]
  double lambda1 = 1;          ///< strength of the fit of mixed outputs to labels; in (0, 1e8]
  double lambda2 = 0.1;        ///< L2 strength of the kernel machine; in (0, 1e8]
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0;  ///< a label is predicted at this score; scores are near -1 and 1
  Threads threads = {};  ///< never changes the model
};

/// Labels with one class only score -1 or 1, and others are trained as if they were not there.
/// Time and memory grow with the square of the examples, which the model holds all.
/// Throws InputError for data that cannot be trained on, among it data with unknown labels and so
/// many examples that they would take more than half of the machine's memory; UsageError for
/// options out of range.
Model fit(const Dataset& data, const CamelOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
