// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/scaling.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Examples with several real targets each.
struct RegressionData {
  Features x = {};        ///< n x p
  Matrix<double> y = {};  ///< n x T; NaN where a target of an example is not known
  /// How often each example counts: one finite number >= 0 per row, not all 0; or empty: 1.
  std::vector<double> row_weights = {};
  std::vector<std::string> feature_names = {};  ///< one per column of x, or empty
  std::vector<std::string> target_names = {};   ///< one per column of y, or empty
};

/// How alike two targets are.
enum class TargetSimilarity {
  pearson,   ///< their correlation over the examples that know both, where it is positive, else 0
  identity,  ///< no target is like another: each is trained alone
};

std::string_view to_string(TargetSimilarity similarity);
/// Throws UsageError listing the names there are.
TargetSimilarity target_similarity_named(std::string_view name);

/// Multi-task gradient descent for several real targets: one linear regression per target under
/// the squared loss, equations (2) and (3), each borrowing weights, not intercepts, from the
/// targets it is related to, equation (11). A task's mean is over the examples that know its
/// target.
struct RegressionOptions {
  double rho = 0.01;          ///< L2 strength, per example; >= 0
  double l1 = 0;              ///< strength of the smoothed L1; >= 0
  double l1_sharpness = 100;  ///< of the smoothed L1; solving takes longer as it grows
  double sigma = 0.1;         ///< transfer strength; 0 trains every target alone
  TargetSimilarity similarity = TargetSimilarity::pearson;
  std::optional<Index> neighbours = {};  ///< borrow from the so many most similar targets alone
  /// A row-stochastic matrix over all targets instead of the similarity.
  std::optional<TransferMatrix> transfer = {};
  ScalingKind scaling = ScalingKind::zscore;  ///< of features; targets are taken as they are
  /// Stop when the residual (11) is at most this times that of zero weights; 0: when the iterations
  /// end, or rounding lets it fall no further.
  double tolerance = 1e-6;
  Index max_iterations = 10000;
  /// Of the weights. Squares are cheap, and what is predicted has units: digits are looked at.
  Precision precision = Precision::double_precision;
  /// A model to start from, as in MgdOptions.
  std::shared_ptr<const Model> initial = {};
  Threads threads = {};  ///< never changes the model
};

/// Options by name, as text, and defaults for the rest. Throws UsageError, as Method::check.
RegressionOptions regression_options(const OptionValues& values);
/// The options by name, with their defaults.
std::vector<OptionInfo> regression_option_infos();

/// Trains a model whose scores are the targets; its labels are the targets. `progress` may be null.
/// Throws UsageError for options out of range, InputError for data that cannot be trained on, and
/// InterruptedError when `progress` stops the run.
Model fit_regression(const RegressionData& data, const RegressionOptions& options = {},
                     Progress* progress = nullptr);

}  // namespace mugrad
