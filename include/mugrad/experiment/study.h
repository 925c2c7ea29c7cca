// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/splits.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/method/mgd.h>
#include <mugrad/metric/metric.h>

#include <functional>
#include <string>
#include <vector>

namespace mugrad {

/// How MGD approaches its equilibrium, iteration by iteration.
struct ConvergenceOptions {
  /// rho, sigma, transfer and start are those of the study; the solver is the plain iteration.
  MgdOptions mgd = with_paper_preset({.rho = 0.1, .sigma = 0.1});
  Index iterations = 500;
  /// Standard deviation of the weights at the start, if the start is random.
  double start_deviation = 1;
  Metric metric = {};
};

struct ConvergenceCurve {
  std::string name = {};               ///< MGD, or gradient descent of every label alone
  std::vector<Index> iterations = {};  ///< all at first, then increasingly sparse
  std::vector<double> total_loss = {};
  std::vector<double> metric = {};  ///< on the test part
};

struct ConvergenceStudy {
  Metric metric = {};
  std::string setting = {};  ///< in words
  std::vector<ConvergenceCurve> curves = {};
};

/// Runs MGD, and gradient descent without transfer from the same start with the same steps. Throws
/// what `fit` throws, and UsageError for fewer than 1 iteration.
ConvergenceStudy study_convergence(const Split& split, const ConvergenceOptions& options,
                                   Progress* progress = nullptr);

/// How a metric depends on rho and sigma.
struct SensitivityOptions {
  MgdOptions mgd = {};  ///< all options but rho and sigma
  std::vector<double> rhos = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1};
  std::vector<double> sigmas = {0, 0.03, 0.1, 0.3, 1, 3};
  Metric metric = {};
};

struct SensitivityStudy {
  Metric metric = {};
  std::vector<double> rhos = {}, sigmas = {};  ///< ascending
  Matrix<double> values = {};                  ///< rhos x sigmas: the mean over the splits
};

/// Returns split k, from 0.
using SplitSource = std::function<SplitRows(Index k)>;

/// Evaluates on the test parts of `splits` splits, each requested once and in order. Throws what
/// `fit_path` throws.
SensitivityStudy study_sensitivity(const Dataset& data, Index splits, const SplitSource& split_at,
                                   const SensitivityOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
