// SPDX-License-Identifier: MIT
#include "model/head_scores.h"

#include <mugrad/objective/logistic.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace mugrad {
namespace {

struct Shape {
  Index columns, labels;
};

/// What a row is scored with.
struct RowWork {
  HeadScratch& scratch;
  const Checkpoint& check;
};

/// Every kind has
///   template <class Real>
///   void score_row(std::span<Real> z, Real squared_length, const RowWork& work,
///                  std::span<double> scores) const;
/// where the scores are zero before, and Real is double or long double.
template <class Kind>
class RowHeadScores : public HeadScores {
 public:
  explicit RowHeadScores(Shape shape) : shape_(shape) {}

  void apply(Index rows, double* z, const double* squared_lengths, HeadScratch& scratch,
             const Checkpoint& check, double* out) const final {
    for (Index row = 0; row < rows; ++row) {
      const std::span<double> scores(out + row * shape_.labels,
                                     static_cast<std::size_t>(shape_.labels));
      const std::span<double> linear(z + row * shape_.columns,
                                     static_cast<std::size_t>(shape_.columns));
      score(linear, squared_lengths == nullptr ? 0.0 : squared_lengths[row], {scratch, check},
            scores);
    }
  }

  void apply_wide(std::span<long double> z, long double squared_length, HeadScratch& scratch,
                  const Checkpoint& check, std::span<double> out) const final {
    score(z, squared_length, {scratch, check}, out);
  }

 private:
  template <class Real>
  void score(std::span<Real> z, Real squared_length, const RowWork& work,
             std::span<double> scores) const {
    work.check();
    std::ranges::fill(scores, 0.0);
    static_cast<const Kind&>(*this).score_row(z, squared_length, work, scores);
  }

  Shape shape_;
};

template <class Real>
double probability(Real z) {
  return static_cast<double>(LogisticLoss::probability(z));
}

class ChainScores final : public RowHeadScores<ChainScores> {
 public:
  ChainScores(const ChainHead& head, Shape shape)
      : RowHeadScores(shape), head_(head), members_(shape.columns / shape.labels) {}

  template <class Real>
  void score_row(std::span<Real> z, Real, const RowWork& work, std::span<double> scores) const {
    const auto labels = scores.size();
    auto& predicted = work.scratch.labels;
    for (std::size_t member = 0; member < static_cast<std::size_t>(members_); ++member) {
      predicted.clear();
      for (std::size_t place = 0; place < labels; ++place) {
        const auto label = static_cast<std::size_t>(head_.order[member * labels + place]);
        const auto column = member * labels + label;
        const auto gains = head_.history.row(static_cast<Index>(column));
        Real linear = z[column];
        for (const LabelId other : predicted) linear += gains[static_cast<std::size_t>(other)];
        const bool is_there = linear >= 0;
        if (is_there) predicted.push_back(static_cast<LabelId>(label));
        const double vote = is_there ? 1 : 0;
        scores[label] += head_.vote == Vote::label ? vote : probability(linear);
      }
    }
    for (double& score : scores) score /= static_cast<double>(members_);
  }

 private:
  const ChainHead& head_;
  Index members_;
};

class LabelsetScores final : public RowHeadScores<LabelsetScores> {
 public:
  LabelsetScores(const LabelsetHead& head, Shape shape) : RowHeadScores(shape), head_(head) {
    for (const Index sets : column_counts(head.sets)) {
      share_.push_back(sets == 0 ? 0 : 1 / static_cast<double>(sets));
    }
  }

  template <class Real>
  void score_row(std::span<Real> z, Real, const RowWork&, std::span<double> scores) const {
    for (Index set = 0; set < head_.sets.rows(); ++set) {
      const Index begin = head_.class_start[static_cast<std::size_t>(set)];
      const Index end = head_.class_start[static_cast<std::size_t>(set) + 1];
      const auto classes =
          z.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
      const auto likeliest = std::ranges::max_element(classes);
      const Real largest = *likeliest;
      const Index winner = begin + (likeliest - classes.begin());
      Real total = 0;
      for (Real& entry : classes) total += entry = std::exp(entry - largest);
      add_set<Real>(set, begin, winner, classes, static_cast<double>(1 / total), scores);
    }
    for (std::size_t label = 0; label < scores.size(); ++label) scores[label] *= share_[label];
  }

 private:
  /// `weights` are the classes' probabilities, but for a common factor, that of the winner.
  template <class Real>
  void add_set(Index set, Index begin, Index winner, std::span<const Real> weights, double winning,
               std::span<double> scores) const {
    switch (head_.score) {
      case LabelsetScore::marginal:
        for (std::size_t c = 0; c < weights.size(); ++c) {
          for (const LabelId label : head_.classes.row(begin + static_cast<Index>(c))) {
            scores[static_cast<std::size_t>(label)] += static_cast<double>(weights[c]) * winning;
          }
        }
        return;
      case LabelsetScore::votes:
        for (const LabelId label : head_.classes.row(winner)) {
          scores[static_cast<std::size_t>(label)] += 1;
        }
        return;
      case LabelsetScore::confidence:
        for (const LabelId label : head_.sets.row(set)) {
          scores[static_cast<std::size_t>(label)] += (1 - winning) / 2;
        }
        for (const LabelId label : head_.classes.row(winner)) {
          scores[static_cast<std::size_t>(label)] += winning;
        }
        return;
    }
  }

  const LabelsetHead& head_;
  std::vector<double> share_;  ///< one over the sets that have the label
};

class PairScores final : public RowHeadScores<PairScores> {
 public:
  PairScores(const PairHead& head, Shape shape) : RowHeadScores(shape), head_(head) {}

  template <class Real>
  void score_row(std::span<Real> z, Real, const RowWork&, std::span<double> scores) const {
    const std::size_t labels = scores.size();
    double virtual_votes = 0;
    for (std::size_t label = 0; label < labels; ++label) {
      const double relevant = vote(z[label]);
      scores[label] += relevant;
      virtual_votes += 1 - relevant;
    }
    for (std::size_t pair = 0; pair < head_.first.size(); ++pair) {
      const double preferred = vote(z[labels + pair]);
      scores[static_cast<std::size_t>(head_.first[pair])] += preferred;
      scores[static_cast<std::size_t>(head_.second[pair])] += 1 - preferred;
    }
    for (double& score : scores) {
      score = 0.5 + (score - virtual_votes) / (2 * static_cast<double>(labels));
    }
  }

 private:
  template <class Real>
  double vote(Real z) const {
    if (head_.vote == Vote::probability) return probability(z);
    return z >= 0 ? 1 : 0;
  }

  const PairHead& head_;
};

template <class Real>
Real squared_distance(Real squared_length, Real product, double other_squared_length) {
  return std::max<Real>(0, squared_length - 2 * product + other_squared_length);
}

class DistanceScores final : public RowHeadScores<DistanceScores> {
 public:
  DistanceScores(const DistanceHead& head, Shape shape) : RowHeadScores(shape), head_(head) {}

  bool wants_lengths() const override { return true; }

  template <class Real>
  void score_row(std::span<Real> z, Real squared_length, const RowWork&,
                 std::span<double> scores) const {
    for (std::size_t label = 0; label < scores.size(); ++label) {
      Real f = head_.offset[label];
      const auto end = static_cast<std::size_t>(head_.centre_start[label + 1]);
      for (auto c = static_cast<std::size_t>(head_.centre_start[label]); c < end; ++c) {
        f += head_.weight[c] *
             std::sqrt(squared_distance(squared_length, z[c], head_.squared_length[c]));
      }
      scores[label] = probability(-(head_.slope[label] * f + head_.shift[label]));
    }
  }

 private:
  const DistanceHead& head_;
};

class FeedbackScores final : public RowHeadScores<FeedbackScores> {
 public:
  FeedbackScores(const FeedbackHead& head, Shape shape) : RowHeadScores(shape), head_(head) {}

  template <class Real>
  void score_row(std::span<Real> z, Real, const RowWork& work, std::span<double> scores) const {
    constexpr double kThere = 0.5;
    const auto labels = scores.size();
    const auto take = [&](std::span<const Real> from) {
      std::ranges::transform(from, scores.begin(), [](Real x) { return static_cast<double>(x); });
    };
    auto& last = work.scratch.numbers;
    take(z.first(labels));
    for (Index round = 0; round < head_.rounds; ++round) {
      work.check();
      last.assign(scores.begin(), scores.end());
      take(z.last(labels));
      for (std::size_t j = 0; j < labels; ++j) {
        if (last[j] < kThere) continue;
        const auto gains = head_.label_weights.row(static_cast<Index>(j));
        for (std::size_t i = 0; i < labels; ++i) scores[i] += gains[i];
      }
    }
  }

 private:
  const FeedbackHead& head_;
};

class KernelScores final : public RowHeadScores<KernelScores> {
 public:
  KernelScores(const KernelHead& head, Shape shape)
      : RowHeadScores(shape), head_(head), factor_(-1 / (2 * head.width * head.width)) {}

  bool wants_lengths() const override { return true; }

  template <class Real>
  void score_row(std::span<Real> z, Real squared_length, const RowWork&,
                 std::span<double> scores) const {
    std::ranges::copy(head_.offset, scores.begin());
    for (std::size_t e = 0; e < z.size(); ++e) {
      const auto likeness = static_cast<double>(
          std::exp(factor_ * squared_distance(squared_length, z[e], head_.squared_length[e])));
      const auto coefficients = head_.coefficients.row(static_cast<Index>(e));
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += likeness * coefficients[i];
    }
  }

 private:
  const KernelHead& head_;
  double factor_;
};

}  // namespace

std::unique_ptr<HeadScores> head_scores(const Head& head, Index columns, Index labels) {
  const Shape shape{columns, labels};
  struct Make {
    Shape shape;
    std::unique_ptr<HeadScores> operator()(const IndependentHead&) const { return nullptr; }
    std::unique_ptr<HeadScores> operator()(const ChainHead& h) const {
      return std::make_unique<ChainScores>(h, shape);
    }
    std::unique_ptr<HeadScores> operator()(const LabelsetHead& h) const {
      return std::make_unique<LabelsetScores>(h, shape);
    }
    std::unique_ptr<HeadScores> operator()(const PairHead& h) const {
      return std::make_unique<PairScores>(h, shape);
    }
    std::unique_ptr<HeadScores> operator()(const DistanceHead& h) const {
      return std::make_unique<DistanceScores>(h, shape);
    }
    std::unique_ptr<HeadScores> operator()(const FeedbackHead& h) const {
      return std::make_unique<FeedbackScores>(h, shape);
    }
    std::unique_ptr<HeadScores> operator()(const KernelHead& h) const {
      return std::make_unique<KernelScores>(h, shape);
    }
  };
  return std::visit(Make{shape}, head);
}

}  // namespace mugrad
