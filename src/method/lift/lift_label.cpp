// SPDX-License-Identifier: MIT
#include "method/lift/lift_label.h"

#include "learner/centre_panels.h"
#include "learner/k_means.h"
#include "method/common/outcome.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

constexpr std::size_t kFolds = 5;

struct Classes {
  std::vector<Index> positives, negatives;  ///< rows
  std::vector<double> signs;                ///< of all rows
};

Classes split_by_class(std::span<const LabelId> positives, Index rows) {
  Classes classes;
  classes.signs.assign(as_size(rows), -1);
  for (const LabelId row : positives) classes.signs[as_size(row)] = 1;
  for (Index row = 0; row < rows; ++row) {
    const bool positive = classes.signs[as_size(row)] > 0;
    (positive ? classes.positives : classes.negatives).push_back(row);
  }
  return classes;
}

double shift_of(const ScaledRows& rows, std::size_t feature) noexcept {
  return rows.shift().empty() ? 0 : rows.shift()[feature];
}

/// Appends centres, in the precision of a model, below existing ones.
Matrix<float> with_centres(const Matrix<float>& above, const Matrix<double>& centres,
                           const ScaledRows& rows) {
  Matrix<float> result(above.rows() + centres.rows(), rows.features());
  std::ranges::copy(above.values(), result.values().begin());
  for (Index c = 0; c < centres.rows(); ++c) {
    const auto from = centres.row(c);
    const auto to = result.row(above.rows() + c);
    for (std::size_t k = 0; k < from.size(); ++k) {
      to[k] = static_cast<float>(from[k] - shift_of(rows, k));
    }
  }
  return result;
}

/// A fold from 0 to kFolds - 1 for every row, stratified by class.
std::vector<std::size_t> random_folds(const Classes& classes, RandomStream& random) {
  std::vector<std::size_t> folds(classes.signs.size());
  std::size_t next = 0;
  for (auto rows : {classes.positives, classes.negatives}) {
    random.shuffle(std::span(rows));
    for (const Index row : rows) folds[as_size(row)] = next++ % kFolds;
  }
  return folds;
}

/// The SVM of all rows outside one fold.
LinearSvm fit_without(std::size_t fold, const std::vector<std::size_t>& folds,
                      const Matrix<double>& x, const std::vector<double>& signs,
                      const SvmOptions& options, Progress* progress) {
  const auto left_out = std::ranges::count(folds, fold);
  Matrix<double> kept_x(x.rows() - left_out, x.cols());
  std::vector<double> kept_signs;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == fold) continue;
    std::ranges::copy(x.row(as_index(i)), kept_x.row(std::ssize(kept_signs)).begin());
    kept_signs.push_back(signs[i]);
  }
  return fit_linear_svm(kept_x, kept_signs, options, progress);
}

/// Decision values of SVMs that were not trained on the row, or of `all` if a class has a single
/// example, because an SVM without it would see only one class. `stop` becomes the worst of them.
std::vector<double> honest_decisions(const Matrix<double>& x, const Classes& classes,
                                     const LinearSvm& all, const SvmOptions& options,
                                     RandomStream& random, Stop& stop, Progress* progress) {
  std::vector<double> decisions(classes.signs.size());
  const auto decide = [&](const LinearSvm& svm, std::size_t i) {
    decisions[i] = svm.decide(x.row(as_index(i)));
  };
  if (std::min(classes.positives.size(), classes.negatives.size()) < 2) {
    for (std::size_t i = 0; i < decisions.size(); ++i) decide(all, i);
    return decisions;
  }
  const auto folds = random_folds(classes, random);
  for (std::size_t fold = 0; fold < std::min(kFolds, folds.size()); ++fold) {
    const LinearSvm svm = fit_without(fold, folds, x, classes.signs, options, progress);
    stop = worse(stop, svm.stop);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] == fold) decide(svm, i);
    }
  }
  return decisions;
}

}  // namespace

Index centres_per_class(Index positives, Index rows, double ratio) noexcept {
  const auto minority = static_cast<double>(std::min(positives, rows - positives));
  constexpr double kRounding = 1e-9;  // 0.07 * 100 is slightly above 7
  return std::max<Index>(1, static_cast<Index>(std::ceil(ratio * minority - kRounding)));
}

Matrix<double> distances(const ScaledRows& rows, const Matrix<float>& centres) {
  CentrePanels panels(centres.rows(), rows.features());
  for (Index c = 0; c < centres.rows(); ++c) {
    for (Index k = 0; k < rows.features(); ++k) {
      panels.at(c, k) = static_cast<double>(centres(c, k)) + shift_of(rows, as_size(k));
    }
  }
  std::vector<Index> every_row(as_size(rows.count()));
  std::iota(every_row.begin(), every_row.end(), Index{0});
  Matrix<double> result(rows.count(), centres.rows());
  panels.measure();
  panels.for_each_product(rows, every_row,
                          [&](std::size_t i, Index first, std::span<const double> products) {
                            const auto row = as_index(i);
                            for (std::size_t c = 0; c < products.size(); ++c) {
                              const double squared = rows.squared_length(row) - 2 * products[c];
                              result(row, first + as_index(c)) = std::sqrt(std::max(0.0, squared));
                            }
                          });
  return result;
}

LiftLabel fit_lift_label(const ScaledRows& rows, std::span<const LabelId> positives, LabelId label,
                         const LiftOptions& options, Progress* progress) {
  const Classes classes = split_by_class(positives, rows.count());
  const auto index = static_cast<std::uint64_t>(label);
  const KMeansOptions k_means{
      .clusters = centres_per_class(std::ssize(positives), rows.count(), options.ratio),
      .max_iterations = options.max_iterations};
  LiftLabel result;
  result.centres = Matrix<float>(0, rows.features());
  for (const bool positive : {true, false}) {
    RandomStream random(options.seed,
                        positive ? "lift/centres of positives" : "lift/centres of others", index);
    const Clusters clusters = find_clusters(rows, positive ? classes.positives : classes.negatives,
                                            k_means, random, progress);
    result.centres = with_centres(result.centres, clusters.centres, rows);
    result.iterations = std::max(result.iterations, clusters.iterations);
    if (!clusters.converged) result.centres_stop = Stop::iteration_limit;
  }
  const Matrix<double> x = distances(rows, result.centres);
  const SvmOptions svm{.c = options.c};
  result.svm = fit_linear_svm(x, classes.signs, svm, progress);
  result.svm_stop = result.svm.stop;
  RandomStream random(options.seed, "lift/folds", index);
  const auto decisions =
      honest_decisions(x, classes, result.svm, svm, random, result.svm_stop, progress);
  result.representation = fit_platt_scaling(decisions, classes.signs);
  return result;
}

void throw_if_diverged(const LiftLabel& fitted, const std::string& label, double c) {
  if (fitted.svm_stop != Stop::diverged) return;
  throw DivergenceError(
      fmt::format("the support vector machine of label '{}' overflowed with c {}", label, c));
}

double bytes_to_fit_label(Index rows, Index features, double centres) noexcept {
  constexpr double kTables = 1 + 3 * 0.8;  // distances; those of four folds, plain and weighted
  constexpr double kPerRow = 26 * 8;       // vectors of the interior-point method, signs, folds
  const auto examples = static_cast<double>(rows);
  // Clusters of one class at a time: start, current centres, and result.
  const double clusters = 3 * centres / 2 * static_cast<double>(features) * sizeof(double);
  const double machine =
      (kTables * examples * centres + centres * centres) * sizeof(double) + kPerRow * examples;
  return centres * static_cast<double>(features) * sizeof(float) + std::max(clusters, machine);
}

}  // namespace mugrad
