// SPDX-License-Identifier: MIT
#include "metric/ranking.h"

#include <algorithm>
#include <cassert>

namespace mugrad {

RowRanking::RowRanking(Index labels) {
  relevant_.reserve(as_size(labels));
  for (auto& places : places_) places.reserve(as_size(labels));
}

void RowRanking::assign(std::span<const double> scores, std::span<const LabelId> truth) {
  assert(!truth.empty() && std::ranges::is_sorted(truth));
  scores_ = scores;
  truth_ = truth;
  relevant_.assign(truth.begin(), truth.end());
  std::ranges::sort(relevant_, [scores](LabelId a, LabelId b) {
    const double score_a = scores[as_size(a)];
    const double score_b = scores[as_size(b)];
    return score_a > score_b || (score_a == score_b && a > b);
  });
  for (auto& places : places_) places.clear();
}

std::span<const Place> RowRanking::places(Ties ties) {
  auto& places = places_[static_cast<std::size_t>(ties)];
  if (!places.empty()) return places;
  places.resize(relevant_.size());
  switch (ties) {
    case Ties::pessimistic:
      count_irrelevant(places,
                       [](double score, LabelId, double other, LabelId) { return score >= other; });
      break;
    case Ties::by_index:
      count_irrelevant(places, [](double score, LabelId label, double other, LabelId other_label) {
        return score > other || (score == other && label > other_label);
      });
      break;
    case Ties::optimistic:
      count_irrelevant(places,
                       [](double score, LabelId, double other, LabelId) { return score > other; });
      break;
  }
  count_relevant(places, ties);
  return places;
}

/// An irrelevant label precedes a tail of relevant_: count it at the start of the tail, then sum.
template <class StandsBefore>
void RowRanking::count_irrelevant(std::vector<Place>& places, StandsBefore stands_before) const {
  auto next_relevant = truth_.begin();
  for (std::size_t l = 0; l < scores_.size(); ++l) {
    const auto label = static_cast<LabelId>(l);
    if (next_relevant != truth_.end() && *next_relevant == label) {
      ++next_relevant;
      continue;
    }
    const auto tail = std::ranges::partition_point(relevant_, [&](LabelId other) {
      return !stands_before(scores_[l], label, scores_[as_size(other)], other);
    });
    if (tail != relevant_.end()) {
      ++places[as_size(tail - relevant_.begin())].irrelevant;
    }
  }
  for (std::size_t j = 1; j < places.size(); ++j) places[j].irrelevant += places[j - 1].irrelevant;
}

void RowRanking::count_relevant(std::vector<Place>& places, Ties ties) const {
  const auto tied = [this](std::size_t a, std::size_t b) {
    return scores_[as_size(relevant_[a])] == scores_[as_size(relevant_[b])];
  };
  for (std::size_t j = 0; j < places.size(); ++j) places[j].relevant = as_index(j) + 1;
  if (ties == Ties::pessimistic) {
    for (std::size_t j = places.size() - 1; j > 0; --j) {
      if (tied(j - 1, j)) places[j - 1].relevant = places[j].relevant;
    }
  } else if (ties == Ties::optimistic) {
    for (std::size_t j = 1; j < places.size(); ++j) {
      if (tied(j - 1, j)) places[j].relevant = places[j - 1].relevant;
    }
  }
}

double average_precision(std::span<const Place> places) noexcept {
  double sum = 0;
  for (const Place& place : places) {
    sum += static_cast<double>(place.relevant) / static_cast<double>(place.rank());
  }
  return sum / static_cast<double>(places.size());
}

double coverage(std::span<const Place> places) noexcept {
  return static_cast<double>(places.back().rank() - 1);
}

double one_error(std::span<const Place> places) noexcept {
  return places.front().irrelevant > 0 ? 1.0 : 0.0;
}

double ranking_loss(std::span<const Place> places, Index labels) noexcept {
  const auto relevant = std::ssize(places);
  if (relevant == labels) return 0;
  Index wrong_pairs = 0;
  for (const Place& place : places) wrong_pairs += place.irrelevant;
  return static_cast<double>(wrong_pairs) / static_cast<double>(relevant * (labels - relevant));
}

}  // namespace mugrad
