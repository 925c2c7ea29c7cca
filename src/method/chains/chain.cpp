// SPDX-License-Identifier: MIT
#include "method/chains/chain.h"

#include "method/common/total_loss.h"
#include "method/common/weights_near_one.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/objective/logistic.h>
#include <mugrad/solver/find_equilibrium.h>
#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr LabelId kNone = -1;

/// How the zeros and ones of a label are scaled as a feature: (y - shift) * factor.
struct LabelScale {
  double shift = 0;
  double factor = 1;
};

/// The labels of a bag in the roles they have in a chain. Those with both classes are tasks, in
/// the order of the data; those of them that another task follows are history, in the order of
/// the chain.
class ChainLabels {
 public:
  ChainLabels(const BinaryMatrix& labels, const Bag& bag, std::span<const LabelId> order);

  const std::vector<LabelId>& tasks() const noexcept { return tasks_; }
  const std::vector<LabelId>& history() const noexcept { return history_; }
  /// The linear score of a label's base rate.
  double base_score(LabelId label) const noexcept {
    // No more than all, however sums round.
    return LogisticLoss::log_odds(std::min(positives_[static_cast<std::size_t>(label)], total_),
                                  total_);
  }
  /// The label matrix of the bag, with a column per task.
  BinaryMatrix targets() const;
  /// The features of the bag, and a column of zeros and ones per label of the history.
  Features with_history(const Features& x, bool unit_rows) const;
  /// A row per column of those: the tasks that do not come after that label.
  BinaryMatrix unused(Index features) const;

 private:
  /// The rows of the bag, times a factor each, and the history.
  template <class To, class Real>
  CsrMatrix<To> joined(const CsrView<Real>& x, std::span<const double> factors) const;
  template <class To, class Real>
  Matrix<To> joined(const DenseView<Real>& x, std::span<const double> factors) const;
  /// The history that is there in a row, ascending.
  void find_history(Index row, std::vector<LabelId>& there) const;

  const BinaryMatrix& labels_;
  const Bag& bag_;
  std::vector<double> positives_;  ///< of each label, as often as they count
  double total_ = 0;               ///< the same of all examples
  std::vector<LabelId> place_;     ///< of each label in the chain
  std::vector<LabelId> tasks_, history_;
  std::vector<LabelId> task_of_;     ///< of each label, or kNone
  std::vector<LabelId> history_of_;  ///< the same
};

ChainLabels::ChainLabels(const BinaryMatrix& labels, const Bag& bag, std::span<const LabelId> order)
    : labels_(labels),
      bag_(bag),
      positives_(static_cast<std::size_t>(labels.cols), 0),
      place_(positives_.size()),
      task_of_(positives_.size(), kNone),
      history_of_(positives_.size(), kNone) {
  std::vector<Index> positive_rows(positives_.size(), 0);
  for (std::size_t i = 0; i < bag.rows.size(); ++i) {
    const double count = bag.counts.empty() ? 1 : bag.counts[i];
    total_ += count;
    for (const LabelId label : labels.row(bag.rows[i])) {
      positives_[static_cast<std::size_t>(label)] += count;
      ++positive_rows[static_cast<std::size_t>(label)];
    }
  }
  for (LabelId label = 0; label < labels.cols; ++label) {
    const auto at = static_cast<std::size_t>(label);
    if (positive_rows[at] == 0 || positive_rows[at] == std::ssize(bag.rows)) continue;
    task_of_[at] = static_cast<LabelId>(tasks_.size());
    tasks_.push_back(label);
  }
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto label = static_cast<std::size_t>(order[place]);
    place_[label] = static_cast<LabelId>(place);
    if (task_of_[label] != kNone) history_.push_back(order[place]);
  }
  if (!history_.empty()) history_.pop_back();
  for (std::size_t k = 0; k < history_.size(); ++k) {
    history_of_[static_cast<std::size_t>(history_[k])] = static_cast<LabelId>(k);
  }
}

BinaryMatrix ChainLabels::targets() const {
  BinaryMatrix result;
  result.cols = std::ssize(tasks_);
  for (const Index row : bag_.rows) {
    for (const LabelId label : labels_.row(row)) {
      const LabelId task = task_of_[static_cast<std::size_t>(label)];
      if (task != kNone) result.column.push_back(task);
    }
    result.end_row();
  }
  return result;
}

void ChainLabels::find_history(Index row, std::vector<LabelId>& there) const {
  there.clear();
  for (const LabelId label : labels_.row(row)) {
    const LabelId column = history_of_[static_cast<std::size_t>(label)];
    if (column != kNone) there.push_back(column);
  }
  std::ranges::sort(there);
}

template <class To, class Real>
CsrMatrix<To> ChainLabels::joined(const CsrView<Real>& x, std::span<const double> factors) const {
  CsrMatrix<To> result;
  result.cols = x.cols + std::ssize(history_);
  std::vector<LabelId> there;
  for (std::size_t i = 0; i < bag_.rows.size(); ++i) {
    const Index row = bag_.rows[i];
    const auto columns = x.row_columns(row);
    result.column.insert(result.column.end(), columns.begin(), columns.end());
    for (const Real value : x.row_values(row)) {
      result.value.push_back(static_cast<To>(static_cast<double>(value) * factors[i]));
    }
    find_history(row, there);
    for (const LabelId column : there) {
      result.column.push_back(static_cast<FeatureId>(x.cols) + column);
      result.value.push_back(1);
    }
    result.end_row();
  }
  return result;
}

template <class To, class Real>
Matrix<To> ChainLabels::joined(const DenseView<Real>& x, std::span<const double> factors) const {
  Matrix<To> result(std::ssize(bag_.rows), x.cols + std::ssize(history_));
  std::vector<LabelId> there;
  for (std::size_t i = 0; i < bag_.rows.size(); ++i) {
    const Index row = bag_.rows[i];
    const auto to = result.row(static_cast<Index>(i));
    std::ranges::transform(x.row(row), to.begin(), [&](Real value) {
      return static_cast<To>(static_cast<double>(value) * factors[i]);
    });
    find_history(row, there);
    for (const LabelId column : there) to[static_cast<std::size_t>(x.cols + column)] = 1;
  }
  return result;
}

/// In the precision of x, but for rows of unit length, which are not to be rounded twice.
Features ChainLabels::with_history(const Features& x, bool unit_rows) const {
  std::vector<double> factors;
  factors.reserve(bag_.rows.size());
  for (const Index row : bag_.rows) factors.push_back(unit_rows ? unit_row_factor(x, row) : 1);
  return x.visit([&](const auto& view) -> Features {
    if (unit_rows) return joined<double>(view, factors);
    return joined<typename std::remove_cvref_t<decltype(view)>::Value>(view, factors);
  });
}

BinaryMatrix ChainLabels::unused(Index features) const {
  BinaryMatrix result;
  result.cols = std::ssize(tasks_);
  for (Index k = 0; k < features; ++k) result.end_row();
  for (const LabelId label : history_) {
    const LabelId place = place_[static_cast<std::size_t>(label)];
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      const bool is_after = place_[static_cast<std::size_t>(tasks_[task])] > place;
      if (!is_after) result.column.push_back(static_cast<LabelId>(task));
    }
    result.end_row();
  }
  return result;
}

/// The scaling of the features, with the statistics of the same examples, for labels.
std::vector<LabelScale> label_scales(const ChainSetting& setting,
                                     const std::vector<LabelId>& labels) {
  std::vector<LabelScale> scales(labels.size());
  if (setting.scaling.kind != ScalingKind::zscore) return scales;
  const Dataset& data = setting.data;
  std::vector<double> counts(static_cast<std::size_t>(data.labels()), 0);
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : data.y.row(row)) {
      counts[static_cast<std::size_t>(label)] += data.weight_of(row);
    }
  }
  const double total = data.total_weight();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const double rate = counts[static_cast<std::size_t>(labels[k])] / total;
    const double variance = rate * (1 - rate);  // 0 where one class hardly counts
    scales[k] = {.shift = rate, .factor = variance > 0 ? 1 / std::sqrt(variance) : 0};
  }
  return scales;
}

/// For rows that have unit length already where they should.
FeatureTransform transform_of(const Scaling& scaling, const std::vector<LabelScale>& scales) {
  FeatureTransform transform = feature_transform(scaling);
  transform.unit_rows = false;
  if (transform.shift.empty()) return transform;
  for (const LabelScale& scale : scales) {
    transform.shift.push_back(scale.shift);
    transform.factor.push_back(scale.factor);
  }
  return transform;
}

/// From weights of scaled features and labels to those of a chain, for the labels that are tasks.
template <class Real>
void take_over(const Matrix<Real>& solved, const ChainLabels& labels,
               const std::vector<LabelScale>& scales, TrainedChain<Real>& chain) {
  const Index features = chain.weights.rows();
  for (std::size_t t = 0; t < labels.tasks().size(); ++t) {
    const auto column = static_cast<Index>(t);
    const LabelId label = labels.tasks()[t];
    for (Index k = 0; k < features; ++k) chain.weights(k, label) = solved(k + 1, column);
    auto intercept = static_cast<double>(solved(0, column));
    for (std::size_t k = 0; k < scales.size(); ++k) {
      const auto weight = static_cast<double>(solved(features + 1 + static_cast<Index>(k), column));
      const double gain = weight * scales[k].factor;
      chain.history(label, labels.history()[k]) = gain;
      intercept -= gain * scales[k].shift;
    }
    chain.intercepts[static_cast<std::size_t>(label)] = intercept;
  }
}

}  // namespace

template <class Real>
TrainedChain<Real> train_chain(const ChainSetting& setting, const Bag& bag,
                               std::span<const LabelId> order, Progress* progress) {
  const Dataset& data = setting.data;
  const ChainLabels labels(data.y, bag, order);
  TrainedChain<Real> chain{.weights = Matrix<Real>(data.features(), data.labels()),
                           .history = Matrix<double>(data.labels(), data.labels())};
  for (LabelId label = 0; label < data.labels(); ++label) {
    chain.intercepts.push_back(labels.base_score(label));
  }
  chain.solve.stop = Stop::converged;
  if (labels.tasks().empty()) return chain;

  const auto scales = label_scales(setting, labels.history());
  const auto targets = labels.targets();
  const auto unused = labels.unused(data.features());
  const auto tasks =
      linear_tasks<Real>(labels.with_history(data.x, setting.scaling.kind == ScalingKind::unit_row),
                         transform_of(setting.scaling, scales), targets,
                         {.rho = setting.rho,
                          .row_weights = weights_near_one(bag.counts),
                          .unused = labels.history().empty() ? nullptr : &unused},
                         setting.pool);
  Matrix<Real> weights(tasks->parameters(), tasks->tasks());
  for (Index t = 0; t < weights.cols(); ++t) {
    weights(0, t) =
        static_cast<Real>(labels.base_score(labels.tasks()[static_cast<std::size_t>(t)]));
  }
  const auto alone =
      scalar_transfer<Real>(no_transfer(tasks->tasks()).mbar, Intercepts::own, setting.pool);
  chain.solve = find_equilibrium<Real>(
      *tasks, *alone, weights, {.stopping = setting.stopping, .progress = progress}, setting.pool);
  chain.total_loss = total_loss<Real>(*tasks, weights);
  take_over(weights, labels, scales, chain);
  return chain;
}

template TrainedChain<float> train_chain(const ChainSetting&, const Bag&, std::span<const LabelId>,
                                         Progress*);
template TrainedChain<double> train_chain(const ChainSetting&, const Bag&, std::span<const LabelId>,
                                          Progress*);

}  // namespace mugrad
