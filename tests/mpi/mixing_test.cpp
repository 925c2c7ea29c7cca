// SPDX-License-Identifier: MIT
#include "mpi/mixing.h"

#include "mpi/the_world.h"

#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;

/// W <- c W + b, each entry with a contraction c of its own in [-0.5, 0.95]. Group g has the labels
/// 2 g and 2 g + 1 and is on rank g % ranks.
class Iteration {
 public:
  static constexpr Index kGroups = 8;
  static constexpr Index kParameters = 5;

  Iteration() : pool_(Threads{1}) {
    for (Index g = all_ranks().rank(); g < kGroups; g += all_ranks().size()) numbers_.push_back(g);
    for (Index k = 0; k <= std::ssize(numbers_); ++k) begins_.push_back(2 * k);
  }

  /// The weights after so many rounds, and how far from the fixed point they are at most.
  double distance_after(int rounds, bool mixes) {
    const GroupSums sums(all_ranks(), numbers_);
    Mixing<double> mixing(begins_, kParameters, sums, pool_);
    weights_ = Matrix<double>(begins_.back(), kParameters);
    Matrix<double> answers(begins_.back(), kParameters);
    for (int round = 0; round < rounds; ++round) {
      for_each([&](Index row, Index k, double c) { answers(row, k) = c * weights_(row, k) + 1; });
      if (mixes) {
        mixing.step(answers, weights_);
      } else {
        weights_ = answers;
      }
    }
    double distance = 0;
    for_each([&](Index row, Index k, double c) {
      distance = std::max(distance, std::fabs(weights_(row, k) - 1 / (1 - c)));
    });
    return all_ranks().largest(distance);
  }

  /// The weights of all groups in their order.
  std::vector<double> all() const {
    std::vector<double> result(static_cast<std::size_t>(2 * kGroups * kParameters));
    const auto numbers = all_ranks().gather(std::span<const Index>(numbers_));
    const auto values = all_ranks().gather(weights_.values());
    constexpr auto kEach = static_cast<std::size_t>(2 * kParameters);
    for (std::size_t g = 0; g < numbers.size(); ++g) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(g * kEach), kEach,
                  result.begin() + numbers[g] * static_cast<std::ptrdiff_t>(kEach));
    }
    return result;
  }

 private:
  template <class Work>
  void for_each(const Work& work) const {
    for (std::size_t g = 0; g < numbers_.size(); ++g) {
      for (Index t = 0; t < 2; ++t) {
        RandomStream random(1, "contraction", static_cast<std::uint64_t>(2 * numbers_[g] + t));
        for (Index k = 0; k < kParameters; ++k) {
          work(begins_[g] + t, k, -0.5 + 1.45 * random.uniform());
        }
      }
    }
  }

  ThreadPool pool_;
  std::vector<Index> numbers_, begins_;
  Matrix<double> weights_;
};

TEST(Mixing, IsFarNearerThanPlainRoundsAfterAsMany) {
  Iteration iteration;
  const double plain = iteration.distance_after(40, false);
  EXPECT_LE(iteration.distance_after(40, true), plain / 100);
}

TEST(Mixing, TakesTheFirstAnswersAsTheyAre) {
  Iteration iteration;
  iteration.distance_after(1, true);
  const auto first = iteration.all();
  EXPECT_TRUE(std::ranges::all_of(first, [](double w) { return w == 1; })) << "b, as it is";
}

}  // namespace
}  // namespace mugrad::mpi
