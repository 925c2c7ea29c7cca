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

/// A head whose rows have nothing to do with each other.
class RowHeadScores : public HeadScores {
 public:
  explicit RowHeadScores(Shape shape) : shape_(shape) {}

  void apply(Index rows, double* z, const double* squared_lengths, HeadScratch& scratch,
             double* out) const final {
    for (Index row = 0; row < rows; ++row) {
      const std::span<double> scores(out + row * shape_.labels,
                                     static_cast<std::size_t>(shape_.labels));
      std::ranges::fill(scores, 0.0);
      const double squared_length = squared_lengths == nullptr ? 0 : squared_lengths[row];
      apply_row({z + row * shape_.columns, static_cast<std::size_t>(shape_.columns)},
                squared_length, scratch, scores);
    }
  }

 protected:
  /// `scores` are zero.
  virtual void apply_row(std::span<double> z, double squared_length, HeadScratch& scratch,
                         std::span<double> scores) const = 0;

 private:
  Shape shape_;
};

class ChainScores final : public RowHeadScores {
 public:
  ChainScores(const ChainHead& head, Shape shape)
      : RowHeadScores(shape), head_(head), members_(shape.columns / shape.labels) {}

 private:
  void apply_row(std::span<double> z, double, HeadScratch& scratch,
                 std::span<double> scores) const override {
    const auto labels = scores.size();
    auto& predicted = scratch.labels;
    for (std::size_t member = 0; member < static_cast<std::size_t>(members_); ++member) {
      predicted.clear();
      for (std::size_t place = 0; place < labels; ++place) {
        const auto label = static_cast<std::size_t>(head_.order[member * labels + place]);
        const auto column = member * labels + label;
        const auto gains = head_.history.row(static_cast<Index>(column));
        double linear = z[column];
        for (const LabelId other : predicted) linear += gains[static_cast<std::size_t>(other)];
        const bool is_there = linear >= 0;
        if (is_there) predicted.push_back(static_cast<LabelId>(label));
        const double vote = is_there ? 1 : 0;
        scores[label] += head_.vote == Vote::label ? vote : LogisticLoss::probability(linear);
      }
    }
    for (double& score : scores) score /= static_cast<double>(members_);
  }

  const ChainHead& head_;
  Index members_;
};

class LabelsetScores final : public RowHeadScores {
 public:
  LabelsetScores(const LabelsetHead& head, Shape shape) : RowHeadScores(shape), head_(head) {
    for (const Index sets : column_counts(head.sets)) {
      share_.push_back(sets == 0 ? 0 : 1 / static_cast<double>(sets));
    }
  }

 private:
  void apply_row(std::span<double> z, double, HeadScratch&,
                 std::span<double> scores) const override {
    for (Index set = 0; set < head_.sets.rows(); ++set) {
      const Index begin = head_.class_start[static_cast<std::size_t>(set)];
      const Index end = head_.class_start[static_cast<std::size_t>(set) + 1];
      const auto classes =
          z.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
      const auto likeliest = std::ranges::max_element(classes);
      const double largest = *likeliest;
      const Index winner = begin + (likeliest - classes.begin());
      double total = 0;
      for (double& entry : classes) total += entry = std::exp(entry - largest);
      add_set(set, begin, winner, {classes.data(), classes.size()}, 1 / total, scores);
    }
    for (std::size_t label = 0; label < scores.size(); ++label) scores[label] *= share_[label];
  }

  /// `weights` are the classes' probabilities, but for a common factor, that of the winner.
  void add_set(Index set, Index begin, Index winner, std::span<const double> weights,
               double winning, std::span<double> scores) const {
    switch (head_.score) {
      case LabelsetScore::marginal:
        for (std::size_t c = 0; c < weights.size(); ++c) {
          for (const LabelId label : head_.classes.row(begin + static_cast<Index>(c))) {
            scores[static_cast<std::size_t>(label)] += weights[c] * winning;
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

class PairScores final : public RowHeadScores {
 public:
  PairScores(const PairHead& head, Shape shape) : RowHeadScores(shape), head_(head) {}

 private:
  double vote(double z) const {
    if (head_.vote == Vote::probability) return LogisticLoss::probability(z);
    return z >= 0 ? 1 : 0;
  }

  void apply_row(std::span<double> z, double, HeadScratch&,
                 std::span<double> scores) const override {
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

  const PairHead& head_;
};

double squared_distance(double squared_length, double product, double other_squared_length) {
  return std::max(0.0, squared_length - 2 * product + other_squared_length);
}

class DistanceScores final : public RowHeadScores {
 public:
  DistanceScores(const DistanceHead& head, Shape shape) : RowHeadScores(shape), head_(head) {}

  bool wants_lengths() const override { return true; }

 private:
  void apply_row(std::span<double> z, double squared_length, HeadScratch&,
                 std::span<double> scores) const override {
    for (std::size_t label = 0; label < scores.size(); ++label) {
      double f = head_.offset[label];
      const auto end = static_cast<std::size_t>(head_.centre_start[label + 1]);
      for (auto c = static_cast<std::size_t>(head_.centre_start[label]); c < end; ++c) {
        f += head_.weight[c] *
             std::sqrt(squared_distance(squared_length, z[c], head_.squared_length[c]));
      }
      scores[label] = LogisticLoss::probability(-(head_.slope[label] * f + head_.shift[label]));
    }
  }

  const DistanceHead& head_;
};

class FeedbackScores final : public RowHeadScores {
 public:
  FeedbackScores(const FeedbackHead& head, Shape shape) : RowHeadScores(shape), head_(head) {}

 private:
  void apply_row(std::span<double> z, double, HeadScratch& scratch,
                 std::span<double> scores) const override {
    constexpr double kThere = 0.5;
    const auto labels = scores.size();
    auto& last = scratch.numbers;
    std::copy_n(z.begin(), labels, scores.begin());
    for (Index round = 0; round < head_.rounds; ++round) {
      last.assign(scores.begin(), scores.end());
      std::copy_n(z.begin() + static_cast<std::ptrdiff_t>(labels), labels, scores.begin());
      for (std::size_t j = 0; j < labels; ++j) {
        if (last[j] < kThere) continue;
        const auto gains = head_.label_weights.row(static_cast<Index>(j));
        for (std::size_t i = 0; i < labels; ++i) scores[i] += gains[i];
      }
    }
  }

  const FeedbackHead& head_;
};

class KernelScores final : public RowHeadScores {
 public:
  KernelScores(const KernelHead& head, Shape shape)
      : RowHeadScores(shape), head_(head), factor_(-1 / (2 * head.width * head.width)) {}

  bool wants_lengths() const override { return true; }

 private:
  void apply_row(std::span<double> z, double squared_length, HeadScratch&,
                 std::span<double> scores) const override {
    std::ranges::copy(head_.offset, scores.begin());
    for (std::size_t e = 0; e < z.size(); ++e) {
      const double likeness =
          std::exp(factor_ * squared_distance(squared_length, z[e], head_.squared_length[e]));
      const auto coefficients = head_.coefficients.row(static_cast<Index>(e));
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += likeness * coefficients[i];
    }
  }

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
