// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/metric/evaluate.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The metrics straight from their definitions, label against label: O(T^2) a row, for tests.
namespace mugrad::testing {

using Truth = std::vector<std::vector<int>>;
using Scores = std::vector<std::vector<double>>;
enum class Tie { counts_against, larger_index_first, counts_for };

class ReferenceRow {
 public:
  ReferenceRow(const std::vector<int>& truth, const std::vector<double>& scores)
      : truth_(truth), scores_(scores), labels_(truth.size()) {
    for (const int one : truth) relevant_ += one;
  }

  double relevant() const { return relevant_; }
  double labels() const { return static_cast<double>(labels_); }

  bool before(std::size_t a, std::size_t b, Tie tie) const {
    if (scores_[a] != scores_[b]) return scores_[a] > scores_[b];
    if (tie == Tie::larger_index_first) return a > b;
    return tie == Tie::counts_against;
  }
  /// One more than the labels before b; among the relevant ones only on request.
  double rank(std::size_t b, Tie tie, bool among_relevant = false) const {
    double rank = 1;
    for (std::size_t a = 0; a < labels_; ++a) {
      if (a != b && before(a, b, tie) && (truth_[a] != 0 || !among_relevant)) ++rank;
    }
    return rank;
  }
  double average_precision(Tie tie) const {
    double sum = 0;
    for (std::size_t b = 0; b < labels_; ++b) {
      if (truth_[b] != 0) sum += rank(b, tie, true) / rank(b, tie);
    }
    return sum / relevant_;
  }
  double coverage(Tie tie) const {
    double worst = 0;
    for (std::size_t b = 0; b < labels_; ++b) {
      if (truth_[b] != 0) worst = std::max(worst, rank(b, tie));
    }
    return worst - 1;
  }
  double ranking_loss(Tie tie) const {
    if (relevant_ == labels()) return 0;
    double wrong = 0;
    for (std::size_t a = 0; a < labels_; ++a) {
      for (std::size_t b = 0; b < labels_; ++b) {
        if (truth_[a] == 0 && truth_[b] != 0 && before(a, b, tie)) ++wrong;
      }
    }
    return wrong / (relevant_ * (labels() - relevant_));
  }
  /// An error unless some relevant label has no irrelevant one before it.
  double one_error(Tie tie) const {
    for (std::size_t b = 0; b < labels_; ++b) {
      if (truth_[b] == 0) continue;
      bool first = true;
      for (std::size_t a = 0; a < labels_; ++a) first &= truth_[a] != 0 || !before(a, b, tie);
      if (first) return 0;
    }
    return 1;
  }
  /// Expected gain at a position (from 1): averaged over the labels that may stand there.
  double gain(double position, bool average_ties) const {
    double gained = 0;
    double candidates = 0;
    for (std::size_t b = 0; b < labels_; ++b) {
      const bool may = average_ties ? rank(b, Tie::counts_for) <= position &&
                                          position <= rank(b, Tie::counts_against)
                                    : rank(b, Tie::larger_index_first) == position;
      candidates += may ? 1 : 0;
      gained += may ? truth_[b] : 0;
    }
    return gained / candidates;
  }
  double precision_at(int k, bool average_ties) const {
    double sum = 0;
    for (int position = 1; position <= k; ++position) sum += gain(position, average_ties);
    return sum / k;
  }
  double ndcg_at(int k, bool average_ties) const {
    if (relevant_ == 0) return 0;
    double gained = 0;
    double ideal = 0;
    for (int position = 1; position <= k; ++position) {
      gained += gain(position, average_ties) / std::log2(position + 1);
      ideal += position <= relevant_ ? 1 / std::log2(position + 1) : 0;
    }
    return gained / ideal;
  }

 private:
  const std::vector<int>& truth_;
  const std::vector<double>& scores_;
  std::size_t labels_;
  double relevant_ = 0;
};

struct ReferenceMean {
  double sum = 0;
  Index counted = 0;
  Index skipped = 0;
  void add(std::optional<double> value) {
    value ? ++counted : ++skipped;
    sum += value.value_or(0);
  }
};

/// The four ranking metrics of a row as a convention counts it; empty: skipped.
inline std::map<std::string, std::optional<double>> reference_ranking(const ReferenceRow& row,
                                                                      Convention convention) {
  const bool empty = row.relevant() == 0;
  const bool full = row.relevant() == row.labels();
  const auto none = std::optional<double>();
  const auto indexed = Tie::larger_index_first;
  switch (convention) {
    case Convention::sklearn:
      return {{"average-precision", empty ? 1 : row.average_precision(Tie::counts_against)},
              {"coverage", empty ? 0 : row.coverage(Tie::counts_against)},
              {"ranking-loss", empty ? 0 : row.ranking_loss(Tie::counts_against)},
              {"one-error", empty ? none : row.one_error(Tie::counts_against)}};
    case Convention::mulan:
      return {{"average-precision", empty ? none : row.average_precision(indexed)},
              {"coverage", empty ? 0 : row.coverage(indexed)},
              {"ranking-loss", empty ? 0 : row.ranking_loss(indexed)},
              {"one-error", empty ? 1 : row.one_error(indexed)}};
    case Convention::lamda:
      break;
  }
  return {{"average-precision", empty || full ? none : row.average_precision(indexed)},
          {"coverage", empty ? -1 : row.coverage(indexed)},
          {"ranking-loss", empty || full ? none : row.ranking_loss(Tie::counts_against)},
          {"one-error", empty || full ? none : row.one_error(Tie::counts_for)}};
}

/// The mean of every ranking metric, precision@k and ndcg@k, with the rows skipped.
inline std::map<std::string, ReferenceMean> reference_ranking_means(const Truth& truth,
                                                                    const Scores& scores,
                                                                    Convention convention,
                                                                    const std::vector<int>& at) {
  const bool average_ties = convention == Convention::sklearn;
  std::map<std::string, ReferenceMean> means;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const ReferenceRow row(truth[i], scores[i]);
    for (const auto& [name, value] : reference_ranking(row, convention)) means[name].add(value);
    for (const int k : at) {
      means["precision@" + std::to_string(k)].add(row.precision_at(k, average_ties));
      means["ndcg@" + std::to_string(k)].add(row.ndcg_at(k, average_ties));
    }
  }
  auto& coverage = means["coverage"];
  coverage.sum = std::max(coverage.sum, 0.0) / static_cast<double>(truth.front().size());
  return means;
}

}  // namespace mugrad::testing
