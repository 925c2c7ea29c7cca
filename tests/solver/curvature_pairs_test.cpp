// SPDX-License-Identifier: MIT
#include "solver/curvature_pairs.h"

#include "support/golden.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace mugrad {
namespace {

constexpr Index kRows = 6;

/// A pair as one of its columns knows it.
struct Pair {
  Matrix<double> s, y;
};

/// L-BFGS as in the textbook (Nocedal and Wright, algorithm 7.4), for the columns listed taken as
/// one vector under weighted inner products, on top of divisions by `curvature`.
class PlainTwoLoops {
 public:
  PlainTwoLoops(std::vector<Index> columns, std::vector<double> weights)
      : columns_(std::move(columns)), weights_(std::move(weights)) {}

  void add(const Pair& pair) {
    pairs_.push_back(pair);
    if (std::ssize(pairs_) > CurvaturePairs<double>::kMost) pairs_.pop_front();
  }
  void forget() { pairs_.clear(); }

  double dot(const Matrix<double>& a, const Matrix<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      for (Index k = 0; k < a.rows(); ++k) {
        sum += weights_[i] * a(k, columns_[i]) * b(k, columns_[i]);
      }
    }
    return sum;
  }

  Matrix<double> direction(const Matrix<double>& field,
                           const std::vector<double>& curvatures) const {
    auto q = field;
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = dot(pairs_[i].s, q) / dot(pairs_[i].s, pairs_[i].y);
      add_scaled(-alpha[i], pairs_[i].y, q);
    }
    for (const Index t : columns_) {
      for (Index k = 0; k < q.rows(); ++k) q(k, t) /= curvatures[static_cast<std::size_t>(t)];
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = dot(pairs_[i].y, q) / dot(pairs_[i].s, pairs_[i].y);
      add_scaled(alpha[i] - beta, pairs_[i].s, q);
    }
    for (double& entry : q.values()) entry = -entry;
    return q;
  }

 private:
  static void add_scaled(double factor, const Matrix<double>& from, Matrix<double>& to) {
    for (std::size_t k = 0; k < to.values().size(); ++k) {
      to.values()[k] += factor * from.values()[k];
    }
  }

  std::vector<Index> columns_;
  std::vector<double> weights_;
  std::deque<Pair> pairs_;
};

/// Moves on quadratic tasks, y = A s with a positive definite A that mixes the parameters, and the
/// tasks as well when they are coupled, fed to the pairs and to the plain loops.
class Moves {
 public:
  Moves(Index cols, Grouping grouping, std::vector<double> weights)
      : cols_(cols),
        grouping_(grouping),
        weights_(std::move(weights)),
        transfer_(scalar_transfer<double>(no_transfer(cols).mbar, Intercepts::own, pool_)),
        preconditioner_(nullptr, kRows, *transfer_, 0, pool_),
        pairs_(kRows, cols, grouping,
               grouping == Grouping::together ? std::span<const double>(weights_)
                                              : std::span<const double>{},
               pool_),
        field_(testing::random_weights(kRows, cols, 7, 1)) {
    if (grouping == Grouping::together) {
      std::vector<Index> all;
      for (Index t = 0; t < cols; ++t) all.push_back(t);
      plain_.emplace_back(all, weights_);
    } else {
      for (Index t = 0; t < cols; ++t) plain_.push_back(PlainTwoLoops({t}, {1}));
    }
    for (Index t = 0; t < cols; ++t) curvatures_.push_back(0.5 + static_cast<double>(t));
  }

  /// Makes the next pair; the field moves with it in the columns that accept it.
  Matrix<double> move(const std::vector<char>& accepted) {
    auto& s = pairs_.next_move();
    auto& y = pairs_.next_change();
    s = testing::random_weights(kRows, cols_, ++seed_, 0.3);
    for (Index t = 0; t < cols_; ++t) {
      for (Index k = 0; k < kRows; ++k) {
        y(k, t) = (1 + static_cast<double>(k)) * s(k, t) + 0.3 * s((k + 1) % kRows, t) +
                  0.3 * s((k + kRows - 1) % kRows, t);
      }
    }
    const Pair pair{s, y};
    pairs_.measure();
    std::vector<double> slopes(static_cast<std::size_t>(cols_));
    for (std::size_t t = 0; t < slopes.size(); ++t) {
      auto& own = plain_[is_joint() ? 0 : t];
      slopes[t] = own.dot(s, field_);
      EXPECT_NEAR(pairs_.change_along_move()[t], own.dot(s, y), 1e-12);
    }
    pairs_.add(slopes, accepted);
    for (auto& own : plain_) own.add(pair);
    for (Index t = 0; t < cols_; ++t) {
      if (!accepted[static_cast<std::size_t>(t)]) continue;
      for (Index k = 0; k < kRows; ++k) field_(k, t) += pair.y(k, t);
    }
    return pair.s;
  }

  Matrix<double> direction() {
    Matrix<double> direction(kRows, cols_);
    std::vector<double> slopes(static_cast<std::size_t>(cols_));
    preconditioner_.set_curvatures(curvatures_);
    pairs_.direction(field_, preconditioner_, std::vector<char>(slopes.size(), 1), direction,
                     slopes);
    return direction;
  }

  void expect_plain_direction() {
    Matrix<double> direction(kRows, cols_, -99);
    std::vector<double> slopes(static_cast<std::size_t>(cols_));
    std::vector<char> wanted(slopes.size(), 1);
    if (!is_joint() && cols_ > 1) wanted[1] = 0;
    preconditioner_.set_curvatures(curvatures_);
    pairs_.direction(field_, preconditioner_, wanted, direction, slopes);
    for (Index t = 0; t < cols_; ++t) {
      const auto& own = plain_[is_joint() ? 0 : static_cast<std::size_t>(t)];
      const auto expected = own.direction(field_, curvatures_);
      for (Index k = 0; k < kRows; ++k) {
        const double entry = wanted[static_cast<std::size_t>(t)] ? expected(k, t) : -99;
        EXPECT_NEAR(direction(k, t), entry, 1e-9) << k << ' ' << t;
      }
      if (!wanted[static_cast<std::size_t>(t)]) continue;
      EXPECT_NEAR(slopes[static_cast<std::size_t>(t)], own.dot(expected, field_), 1e-9);
      EXPECT_LT(slopes[static_cast<std::size_t>(t)], 0);
    }
  }

  void forget(Index t) {
    pairs_.forget(t);
    plain_[static_cast<std::size_t>(t)].forget();
  }

  /// The plain loops know nothing of this.
  void keep_columns(const std::vector<Index>& kept) {
    pairs_.keep_columns(kept);
    field_.keep_columns(kept);
    cols_ = std::ssize(kept);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      curvatures_[i] = curvatures_[static_cast<std::size_t>(kept[i])];
    }
    curvatures_.resize(kept.size());
  }

  bool is_joint() const { return grouping_ == Grouping::together; }
  Matrix<double>& field() { return field_; }
  CurvaturePairs<double>& pairs() { return pairs_; }

 private:
  ThreadPool pool_{Threads{1}};
  Index cols_;
  Grouping grouping_;
  std::vector<double> weights_;
  std::unique_ptr<Transfer<double>> transfer_;
  Preconditioner<double> preconditioner_;
  CurvaturePairs<double> pairs_;
  Matrix<double> field_;
  std::vector<PlainTwoLoops> plain_;
  std::vector<double> curvatures_;
  std::uint64_t seed_ = 20;
};

const std::vector<double> kWeights = {0.5, 1, 2, 4};

TEST(CurvaturePairs, GiveTheTextbookDirectionOfEveryTaskAlone) {
  Moves moves(4, Grouping::each, {});
  moves.expect_plain_direction();  // the preconditioner alone
  for (int pair = 0; pair < 25; ++pair) {
    moves.move({1, pair % 3 != 0, 1, pair % 2 == 0});
    moves.expect_plain_direction();
  }
}

TEST(CurvaturePairs, GiveTheTextbookDirectionOfAllTasksTogether) {
  Moves moves(4, Grouping::together, kWeights);
  for (int pair = 0; pair < 25; ++pair) {
    moves.move(std::vector<char>(4, pair % 4 != 0));
    moves.expect_plain_direction();
  }
}

TEST(CurvaturePairs, GiveTheSameDirectionAfterColumnsLeft) {
  for (const Index pairs : {3, 12}) {
    Moves moves(4, Grouping::each, {});
    for (Index pair = 0; pair < pairs; ++pair) moves.move({1, 1, 1, 1});
    auto expected = moves.direction();
    const std::vector<Index> kept = {1, 3};
    moves.keep_columns(kept);
    expected.keep_columns(kept);
    EXPECT_LE(testing::largest_difference(moves.direction(), expected), 1e-12);
  }
}

TEST(CurvaturePairs, ForgetOneColumnAndKeepTheOthers) {
  Moves moves(4, Grouping::each, {});
  for (int pair = 0; pair < 4; ++pair) moves.move({1, 1, 1, 1});
  moves.forget(2);
  moves.expect_plain_direction();
  for (int pair = 0; pair < 12; ++pair) {
    moves.move({1, 1, 1, 1});
    moves.expect_plain_direction();
  }
}

TEST(CurvaturePairs, UndoTheNewestChangeByTheNewestMove) {
  for (const auto grouping : {Grouping::each, Grouping::together}) {
    Moves moves(4, grouping, kWeights);
    std::ranges::fill(moves.field().values(), 0.0);
    for (int pair = 0; pair < 6; ++pair) moves.move({0, 0, 0, 0});
    const auto move = moves.move({1, 1, 1, 1});  // the field is now the change alone
    const auto direction = moves.direction();
    for (std::size_t k = 0; k < move.values().size(); ++k) {
      EXPECT_NEAR(direction.values()[k], -move.values()[k], 1e-10);
    }
  }
}

TEST(CurvaturePairs, TakeAMoveWithoutCurvatureForNoNews) {
  Moves moves(3, Grouping::each, {});
  for (int pair = 0; pair < 3; ++pair) moves.move({1, 1, 1});
  const auto before = moves.direction();
  moves.pairs().next_move() = testing::random_weights(kRows, 3, 1);
  moves.pairs().next_change() = Matrix<double>(kRows, 3);
  moves.pairs().measure();
  moves.pairs().add(std::vector<double>{-1, -1, -1}, std::vector<char>{0, 0, 0});
  EXPECT_LE(testing::largest_difference(moves.direction(), before), 1e-12);
}

}  // namespace
}  // namespace mugrad
