// SPDX-License-Identifier: MIT
#include "method/chains/chain.h"

#include "linalg/row_factors.h"
#include "method/common/total_loss.h"
#include "method/common/weights_near_one.h"
#include "objective/logistic.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr LabelId kNone = -1;

/// The scaling of a label's zeros and ones as a feature: (y - shift) * factor.
struct LabelScale {
  double shift = 0;
  double factor = 1;
};

/// The labels of a bag in their roles in a chain. Those with both classes are tasks, in the order
/// of the data; tasks that another task follows are history, in the order of the chain.
class ChainLabels {
 public:
  ChainLabels(const BinaryMatrix& labels, const Bag& bag, std::span<const LabelId> order);

  const std::vector<LabelId>& tasks() const noexcept { return tasks_; }
  const std::vector<LabelId>& history() const noexcept { return history_; }
  /// The linear score of a label's base rate.
  double base_score(LabelId label) const noexcept {
    // At most all, despite rounding of sums.
    return LogisticLoss::log_odds(std::min(positives_[as_size(label)], total_), total_);
  }
  /// The label matrix of the bag, with one column per task.
  BinaryMatrix targets() const;
  /// The features of the bag, times the row factors of the transform, and one 0/1 column per label
  /// of the history.
  Features with_history(const Features& x, const FeatureTransform& transform) const;
  /// For each of these columns, the tasks that do not come after its label.
  BinaryMatrix unused(Index features) const;

 private:
  /// The rows of the bag, times their row factors, and the history. `view` is that of x.
  template <class To, class Real>
  CsrMatrix<To> joined(const CsrView<Real>& view, const Features& x,
                       const FeatureTransform& transform) const;
  template <class To, class Real>
  Matrix<To> joined(const DenseView<Real>& view, const Features& x,
                    const FeatureTransform& transform) const;
  /// The history labels of a row, ascending.
  void find_history(Index row, std::vector<LabelId>& there) const;

  const BinaryMatrix& labels_;
  const Bag& bag_;
  std::vector<double> positives_;  ///< weight of the positives of each label
  double total_ = 0;               ///< weight of all examples
  std::vector<LabelId> place_;     ///< position of each label in the chain
  std::vector<LabelId> tasks_, history_;
  std::vector<LabelId> task_of_;     ///< of each label, or kNone
  std::vector<LabelId> history_of_;  ///< of each label, or kNone
};

ChainLabels::ChainLabels(const BinaryMatrix& labels, const Bag& bag, std::span<const LabelId> order)
    : labels_(labels),
      bag_(bag),
      positives_(as_size(labels.cols), 0),
      place_(positives_.size()),
      task_of_(positives_.size(), kNone),
      history_of_(positives_.size(), kNone) {
  std::vector<Index> positive_rows(positives_.size(), 0);
  for (std::size_t i = 0; i < bag.rows.size(); ++i) {
    const double count = bag.counts.empty() ? 1 : bag.counts[i];
    total_ += count;
    for (const LabelId label : labels.row(bag.rows[i])) {
      positives_[as_size(label)] += count;
      ++positive_rows[as_size(label)];
    }
  }
  for (LabelId label = 0; label < labels.cols; ++label) {
    const auto at = as_size(label);
    if (positive_rows[at] == 0 || positive_rows[at] == std::ssize(bag.rows)) continue;
    task_of_[at] = static_cast<LabelId>(tasks_.size());
    tasks_.push_back(label);
  }
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto label = as_size(order[place]);
    place_[label] = static_cast<LabelId>(place);
    if (task_of_[label] != kNone) history_.push_back(order[place]);
  }
  if (!history_.empty()) history_.pop_back();
  for (std::size_t k = 0; k < history_.size(); ++k) {
    history_of_[as_size(history_[k])] = static_cast<LabelId>(k);
  }
}

BinaryMatrix ChainLabels::targets() const {
  BinaryMatrix result;
  result.cols = std::ssize(tasks_);
  for (const Index row : bag_.rows) {
    for (const LabelId label : labels_.row(row)) {
      const LabelId task = task_of_[as_size(label)];
      if (task != kNone) result.column.push_back(task);
    }
    result.end_row();
  }
  return result;
}

void ChainLabels::find_history(Index row, std::vector<LabelId>& there) const {
  there.clear();
  for (const LabelId label : labels_.row(row)) {
    const LabelId column = history_of_[as_size(label)];
    if (column != kNone) there.push_back(column);
  }
  std::ranges::sort(there);
}

template <class To, class Real>
CsrMatrix<To> ChainLabels::joined(const CsrView<Real>& view, const Features& x,
                                  const FeatureTransform& transform) const {
  CsrMatrix<To> result;
  result.cols = view.cols + std::ssize(history_);
  std::vector<LabelId> there;
  RowFactors<double> of_row;
  for (const Index row : bag_.rows) {
    for_each_with_factor(transform, x, view, row, of_row,
                         [&](std::size_t k, double value, double factor) {
                           result.column.push_back(static_cast<FeatureId>(k));
                           result.value.push_back(static_cast<To>(value * factor));
                         });
    find_history(row, there);
    for (const LabelId column : there) {
      result.column.push_back(static_cast<FeatureId>(view.cols) + column);
      result.value.push_back(1);
    }
    result.end_row();
  }
  return result;
}

template <class To, class Real>
Matrix<To> ChainLabels::joined(const DenseView<Real>& view, const Features& x,
                               const FeatureTransform& transform) const {
  Matrix<To> result(std::ssize(bag_.rows), view.cols + std::ssize(history_));
  std::vector<LabelId> there;
  RowFactors<double> of_row;
  for (std::size_t i = 0; i < bag_.rows.size(); ++i) {
    const Index row = bag_.rows[i];
    const auto to = result.row(as_index(i));
    for_each_with_factor(transform, x, view, row, of_row,
                         [&](std::size_t k, double value, double factor) {
                           to[k] = static_cast<To>(value * factor);
                         });
    find_history(row, there);
    for (const LabelId column : there) to[as_size(view.cols + column)] = 1;
  }
  return result;
}

/// In the precision of x, except for rows with parts of one length, which must not be rounded
/// twice.
Features ChainLabels::with_history(const Features& x, const FeatureTransform& transform) const {
  return x.visit([&](const auto& view) -> Features {
    if (!transform.parts.is_empty()) return joined<double>(view, x, transform);
    return joined<typename std::remove_cvref_t<decltype(view)>::Value>(view, x, transform);
  });
}

BinaryMatrix ChainLabels::unused(Index features) const {
  BinaryMatrix result;
  result.cols = std::ssize(tasks_);
  for (Index k = 0; k < features; ++k) result.end_row();
  for (const LabelId label : history_) {
    const LabelId place = place_[as_size(label)];
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      const bool is_after = place_[as_size(tasks_[task])] > place;
      if (!is_after) result.column.push_back(static_cast<LabelId>(task));
    }
    result.end_row();
  }
  return result;
}

/// The scaling of the features applied to labels, with statistics of the same examples.
std::vector<LabelScale> label_scales(const ChainSetting& setting,
                                     const std::vector<LabelId>& labels) {
  std::vector<LabelScale> scales(labels.size());
  if (setting.representation.kind != RepresentationKind::zscore) return scales;
  const Dataset& data = setting.data;
  std::vector<double> counts(as_size(data.labels()), 0);
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : data.y.row(row)) {
      counts[as_size(label)] += data.weight_of(row);
    }
  }
  const double total = data.total_weight();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const double rate = counts[as_size(labels[k])] / total;
    const double variance = rate * (1 - rate);  // 0 if one class has almost no weight
    scales[k] = {.shift = rate, .factor = variance > 0 ? 1 / std::sqrt(variance) : 0};
  }
  return scales;
}

/// The transform for the features joined by labels, after the row factors.
FeatureTransform with_labels(FeatureTransform transform, const std::vector<LabelScale>& scales) {
  transform.parts = {};
  for (const LabelScale& scale : scales) {
    if (!transform.shift.empty()) transform.shift.push_back(scale.shift);
    if (!transform.factor.empty()) transform.factor.push_back(scale.factor);
  }
  return transform;
}

/// Converts weights of scaled features and labels to those of a chain, for the tasks.
template <class Real>
void take_over(const Matrix<Real>& solved, const ChainLabels& labels,
               const std::vector<LabelScale>& scales, TrainedChain<Real>& chain) {
  const Index features = chain.weights.rows();
  for (std::size_t t = 0; t < labels.tasks().size(); ++t) {
    const auto column = as_index(t);
    const LabelId label = labels.tasks()[t];
    for (Index k = 0; k < features; ++k) chain.weights(k, label) = solved(k + 1, column);
    auto intercept = static_cast<double>(solved(0, column));
    for (std::size_t k = 0; k < scales.size(); ++k) {
      const auto weight = static_cast<double>(solved(features + 1 + as_index(k), column));
      const double gain = weight * scales[k].factor;
      chain.history(label, labels.history()[k]) = gain;
      intercept -= gain * scales[k].shift;
    }
    chain.intercepts[as_size(label)] = intercept;
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
  const FeatureTransform transform = feature_transform(setting.representation);
  const auto tasks = linear_tasks<Real>(labels.with_history(data.x, transform),
                                        with_labels(transform, scales), targets,
                                        {.rho = setting.rho,
                                         .row_weights = weights_near_one(bag.counts),
                                         .unused = labels.history().empty() ? nullptr : &unused},
                                        setting.pool);
  Matrix<Real> weights(tasks->parameters(), tasks->tasks());
  for (Index t = 0; t < weights.cols(); ++t) {
    weights(0, t) = static_cast<Real>(labels.base_score(labels.tasks()[as_size(t)]));
  }
  const auto alone =
      scalar_transfer<Real>(no_transfer(tasks->tasks()).mbar, Intercepts::own, setting.pool);
  chain.solve = find_equilibrium<Real>(
      *tasks, *alone, weights, {.stopping = setting.stopping, .progress = progress}, setting.pool);
  chain.total_loss = total_loss<Real>(*tasks, weights);
  take_over(weights, labels, scales, chain);
  return chain;
}

template decltype(train_chain<float>) train_chain<float>;
template decltype(train_chain<double>) train_chain<double>;

}  // namespace mugrad
