// SPDX-License-Identifier: MIT
#include "method/pairs/pair_regressions.h"

#include "learner/row_regression.h"
#include "objective/logistic.h"

#include <algorithm>
#include <memory>

namespace mugrad {
namespace {

/// Pairs with adjacent weights: one work item, and about a cache line of the weights.
constexpr Index kPairsPerItem = 16;
/// Items between two progress updates.
constexpr Index kItemsPerRound = 16;

struct Context {
  const Design<double>& design;
  const LabelPairs& pairs;
  const PairRegressionOptions& options;
};

RowRegression::Result constant_pair(double positives, double examples, double& intercept) {
  intercept = LogisticLoss::log_odds(positives, examples);
  return {.value = LogisticLoss::value(intercept, positives > 0)};
}

/// The state of one thread.
class PairWorker {
 public:
  explicit PairWorker(const Context& context)
      : context_(context),
        regression_(context.design),
        block_(context.design.cols() - 1, kPairsPerItem) {}

  /// Solves pairs [begin, end) and writes their weights and intercepts.
  void solve(Index begin, Index end, Index first_column, Matrix<float>& weights,
             std::vector<double>& intercepts, std::span<RowRegression::Result> results) {
    std::ranges::fill(block_.values(), 0.0F);
    for (Index pair = begin; pair < end; ++pair) {
      const auto at = as_size(pair);
      results[at] = solve(pair, pair - begin, intercepts[as_size(first_column + pair)]);
    }
    for (Index k = 0; k < weights.rows(); ++k) {
      std::copy_n(block_.row(k).begin(), end - begin,
                  weights.row(k).begin() + first_column + begin);
    }
  }

 private:
  RowRegression::Result solve(Index pair, Index column, double& intercept) {
    context_.pairs.find_examples(pair, examples_);
    const auto positives = static_cast<double>(examples_.with_first.size());
    const double count = positives + static_cast<double>(examples_.with_second.size());
    if (examples_.with_first.empty() || examples_.with_second.empty()) {
      return constant_pair(positives, count, intercept);
    }
    const auto& options = context_.options;
    const double rho = options.rho + 2 * options.summed_ridge / count;
    const auto result =
        regression_.solve(examples_.with_first, examples_.with_second, rho, options.stopping);
    intercept = regression_.intercept();
    const auto features = regression_.features();
    const auto found = regression_.weights();
    for (std::size_t k = 0; k < features.size(); ++k) {
      block_(features[k], column) = static_cast<float>(found[k]);
    }
    return result;
  }

  const Context& context_;
  RowRegression regression_;
  LabelPairs::Examples examples_;
  Matrix<float> block_;
};

PairReport summed_up(std::span<const RowRegression::Result> results) {
  PairReport report;
  for (const auto& result : results) {
    report.passes = std::max(report.passes, result.passes);
    report.first_residual = std::max(report.first_residual, result.first_residual);
    report.residual = std::max(report.residual, result.residual);
    report.total_loss += result.value;
    report.at_iteration_limit += result.stop == Stop::iteration_limit ? 1 : 0;
    report.stalled += result.stop == Stop::stalled ? 1 : 0;
  }
  return report;
}

}  // namespace

PairReport fit_pairs(const Design<double>& design, const LabelPairs& pairs,
                     const PairRegressionOptions& options, Index first_column,
                     Matrix<float>& weights, std::vector<double>& intercepts, Stages& stages,
                     ThreadPool& pool) {
  const Context context{design, pairs, options};
  std::vector<RowRegression::Result> results(as_size(pairs.count()));
  std::vector<std::unique_ptr<PairWorker>> workers(as_size(kItemsPerRound));
  for (Index first = 0; first < pairs.count(); first += kItemsPerRound * kPairsPerItem) {
    stages.advance(static_cast<double>(first) / static_cast<double>(pairs.count()));
    const Index left = pairs.count() - first;
    const Index items = std::min(kItemsPerRound, (left + kPairsPerItem - 1) / kPairsPerItem);
    pool.run(items, [&](Index item) {
      auto& worker = workers[as_size(item)];
      if (!worker) worker = std::make_unique<PairWorker>(context);
      const Index begin = first + item * kPairsPerItem;
      worker->solve(begin, std::min(begin + kPairsPerItem, pairs.count()), first_column, weights,
                    intercepts, results);
    });
  }
  stages.advance(1);
  return summed_up(results);
}

double bytes_to_fit_pairs(const DesignShape& design, Index pairs, double most_examples) noexcept {
  const Index items = std::min(kItemsPerRound, (pairs + kPairsPerItem - 1) / kPairsPerItem);
  const auto features = static_cast<double>(design.cols - 1);
  return static_cast<double>(items) *
         (RowRegression::bytes(design, most_examples) + features * kPairsPerItem * sizeof(float));
}

}  // namespace mugrad
