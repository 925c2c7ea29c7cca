// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/representation.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Examples with several real targets each.
struct RegressionData {
  Features x = {};        ///< n x p
  Matrix<double> y = {};  ///< n x T; NaN if a target is unknown
  /// Weight of each example: one finite number >= 0 per row, not all 0; empty: all 1.
  std::vector<double> row_weights = {};
  std::vector<std::string> feature_names = {};  ///< one per column of x, or empty
  std::vector<std::string> target_names = {};   ///< one per column of y, or empty
};

/// Similarity of two targets.
enum class TargetSimilarity {
  pearson,   ///< correlation over the examples with both targets known, if positive, else 0
  identity,  ///< no similarity: each target is trained alone
};

std::string_view to_string(TargetSimilarity similarity);
/// Throws UsageError listing the valid names.
TargetSimilarity target_similarity_named(std::string_view name);

/// Multi-task gradient descent for several real targets: one linear regression per target under the
/// squared loss, equations (2) and (3). Each target borrows weights, but not intercepts, from
/// related targets, equation (11). The loss of a task is the mean over the examples with a known
/// target.
struct RegressionOptions {
  double rho = 0.01;          ///< L2 strength, per example; >= 0
  double l1 = 0;              ///< strength of the smoothed L1; >= 0
  double l1_sharpness = 100;  ///< of the smoothed L1; larger values take longer to solve
  double sigma = 0.1;         ///< transfer strength; 0 trains every target alone
  TargetSimilarity similarity = TargetSimilarity::pearson;
  std::optional<Index> neighbours = {};  ///< borrow only from this many most similar targets
  /// A row-stochastic matrix over all targets instead of the similarity.
  std::optional<TransferMatrix> transfer = {};
  RepresentationKind representation =
      RepresentationKind::zscore;  ///< of features; targets are not scaled
  GaussianOptions gaussian = {};   ///< if features are Gaussian
  /// Stop when the residual (11) is at most this times that of zero weights. 0: run until the
  /// iteration limit, or until rounding stops the progress.
  double tolerance = 1e-6;
  Index max_iterations = 10000;
  /// Precision of the weights. Double, because predictions have units, and squared loss is cheap.
  Precision precision = Precision::double_precision;
  /// A model to start from, as in MgdOptions.
  std::shared_ptr<const Model> initial = {};
  std::uint64_t seed = 1;  ///< of the centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// Options by name, as text; others keep their defaults. Throws UsageError, as Method::check.
RegressionOptions regression_options(const OptionValues& values);
/// The options by name, with their defaults.
std::vector<OptionInfo> regression_option_infos();

/// Trains a model whose labels are the targets and whose scores predict them. `progress` may be
/// null. Throws UsageError for options out of range, InputError for unsuitable data, and
/// InterruptedError if `progress` stops the run.
Model fit_regression(const RegressionData& data, const RegressionOptions& options = {},
                     Progress* progress = nullptr);

}  // namespace mugrad
