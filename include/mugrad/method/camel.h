// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// CAMEL (Feng, An, He 2019): a kernel machine whose outputs are mixed by G = (1 - a) I + a S,
/// where S describes how labels follow from each other. It is trained so that the mixtures fit.
struct CamelOptions {
  double collaboration = 0.5;  ///< a: share of a label's score that comes from others; in [0, 1]
  double lambda1 = 1;          ///< strength of the fit of mixed outputs to labels; in (0, 1e8]
  double lambda2 = 0.1;        ///< L2 strength of the kernel machine; in (0, 1e8]
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0;    ///< predict labels that score at least this; scores are near -1 and 1
  std::uint64_t seed = 1;  ///< of the centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// Labels with only one class score -1 or 1, and the others are trained without them. Time and
/// memory grow with the square of the number of examples, all of which the model stores. Throws
/// UsageError for options out of range, and InputError for unsuitable data. Unsuitable are also
/// data with unknown labels, and so many examples that they would take more than half of the
/// machine's memory.
Model fit(const Dataset& data, const CamelOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
