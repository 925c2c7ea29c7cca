// SPDX-License-Identifier: MIT
// How often and how much the library allocates while it works.
#include "allocations/counting.h"
#include "solver/equilibrium_solvers.h"
#include "solver/krylov_space.h"
#include "support/lent_features.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/method/mgd.h>
#include <mugrad/method/mlknn.h>
#include <mugrad/model/scorer.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

namespace mugrad {
namespace {

using testing::allocations;
using testing::failing;
using testing::held;
using testing::largest;
using testing::most_held;

/// Tasks of a problem that is large enough for every way to divide its work.
class Training {
 public:
  Training(bool is_sparse, int threads)
      : pool_({threads}),
        data_(testing::random_problem(
            {.rows = 900, .features = 40, .labels = 150, .feature_probability = 0.3}, 3)),
        tasks_(linear_tasks<float>(
            is_sparse ? testing::as_sparse(data_.x) : data_.x,
            feature_transform(fit_representation(data_.x, RepresentationKind::zscore)), data_.y,
            {.rho = 0.1}, pool_)),
        transfer_(scalar_transfer<float>(ring(data_.labels()), Intercepts::own, pool_)),
        reversible_(scalar_transfer<float>(label_transfer(data_.y, Similarity::cosine).mbar,
                                           Intercepts::own, pool_)) {}

  long allocations_of_run(double sigma, Index iterations) {
    Matrix<float> weights(tasks_->parameters(), tasks_->tasks());
    const long before = allocations;
    run_mgd(
        *tasks_, *transfer_, weights,
        {.sigma = sigma, .step = 0.01, .stopping = {.tolerance = 0, .max_iterations = iterations}},
        pool_);
    return allocations - before;
  }

  /// Of the way to the equilibrium: all labels alone, or together.
  long allocations_of_search(double sigma, Index iterations) {
    Matrix<float> weights(tasks_->parameters(), tasks_->tasks());
    const long before = allocations;
    const auto report = find_equilibrium(
        *tasks_, *reversible_, weights,
        {.sigma = sigma, .stopping = {.tolerance = 0, .max_iterations = iterations}}, pool_);
    EXPECT_EQ(report.iterations, iterations);
    return allocations - before;
  }

  /// The same for labels that borrow in a ring, and how many passes it took.
  std::pair<long, Index> allocations_and_passes_in_a_ring(Index iterations) {
    Matrix<float> weights(tasks_->parameters(), tasks_->tasks());
    const long before = allocations;
    const auto report = find_equilibrium(
        *tasks_, *transfer_, weights,
        {.sigma = 0.5, .stopping = {.tolerance = 1e-30, .max_iterations = iterations}}, pool_);
    EXPECT_EQ(report.iterations, iterations);
    return {allocations - before, report.passes};
  }

  /// Of blocks of labels that answer in turn, from the third sweep on.
  std::size_t largest_allocation_in_sweeps(Index block) {
    struct Forgetting final : Progress {
      bool update(double) override { return true; }
      void iterate(const Iterate& iterate) override {
        if (iterate.iteration == 2) largest = 0;
        sweeps = iterate.iteration;
      }
      Index sweeps = 0;
    } progress;
    Matrix<float> weights(tasks_->parameters(), tasks_->tasks());
    run_block_sweeps<float>(*tasks_, *reversible_, 0.5, block, weights, {.tolerance = 1e-4},
                            &progress, pool_);
    EXPECT_GE(progress.sweeps, 4);
    return largest.load();
  }

  /// Of every call a solver may make, for all tasks and for some.
  long allocations_of_calls() {
    const std::vector<Index> some = {1, 4, 77, 149};
    std::vector<double> values(some.size());
    std::vector<double> all_values(static_cast<std::size_t>(tasks_->tasks()));
    Matrix<float> weights(tasks_->parameters(), std::ssize(some));
    Matrix<float> all(tasks_->parameters(), tasks_->tasks());
    Matrix<float> result = weights;
    Matrix<float> all_result = all;
    const auto call = [&] {
      tasks_->gradient(some, weights, result, {.values = values, .mean_curvatures = values});
      tasks_->gradient({}, all, all_result, {.values = all_values, .mean_curvatures = all_values});
      tasks_->hessian_product(some, weights, weights, result);
      tasks_->hessian_product({}, all, all, all_result);
    };
    call();
    const long before = allocations;
    call();
    return allocations - before;
  }

 private:
  /// Each label borrows from itself and the next.
  static CsrMatrix<double> ring(Index labels) {
    CsrMatrix<double> mbar;
    mbar.cols = labels;
    for (Index i = 0; i < labels; ++i) {
      const auto next = (i + 1) % labels;
      for (const Index j : {std::min(i, next), std::max(i, next)}) {
        mbar.column.push_back(static_cast<std::int32_t>(j));
        mbar.value.push_back(0.5);
      }
      mbar.end_row();
    }
    return mbar;
  }

  ThreadPool pool_;
  Dataset data_;
  std::unique_ptr<TaskSet<float>> tasks_;
  std::unique_ptr<Transfer<float>> transfer_;
  std::unique_ptr<Transfer<float>> reversible_;
};

TEST(Training, AllocatesNoMoreInManyIterationsThanInFew) {
  for (const bool is_sparse : {true, false}) {
    for (const int threads : {1, 2}) {
      Training training(is_sparse, threads);
      for (const double sigma : {0.0, 0.5}) {
        training.allocations_of_run(sigma, 1);  // makes room that is kept
        EXPECT_EQ(training.allocations_of_run(sigma, 50), training.allocations_of_run(sigma, 5));
      }
    }
  }
}

TEST(FindEquilibrium, AllocatesNoMoreInManyIterationsThanInFew) {
  for (const bool is_sparse : {true, false}) {
    for (const int threads : {1, 2}) {
      Training training(is_sparse, threads);
      for (const double sigma : {0.0, 0.5}) {
        training.allocations_of_search(sigma, 1);  // finds what the Hessians share
        EXPECT_EQ(training.allocations_of_search(sigma, 50),
                  training.allocations_of_search(sigma, 5));
      }
    }
  }
}

TEST(FindEquilibrium, AllocatesAMatrixForEachProductOfItsLongestStepAndNoMore) {
  // The first step takes one product here, the others up to four.
  Training training(true, 2);
  training.allocations_and_passes_in_a_ring(1);  // finds what the Hessians share
  const auto [few, short_passes] = training.allocations_and_passes_in_a_ring(1);
  const auto [many, long_passes] = training.allocations_and_passes_in_a_ring(5);
  EXPECT_GE(long_passes - short_passes, 12);
  EXPECT_LE(many - few, 3);
}

TEST(KrylovSpace, AllocatesNothingWhenUsedAgain) {
  constexpr Index kProducts = 12;
  ThreadPool pool({1});
  KrylovSpace<double> space(8, 4, 20, pool);
  const auto start = testing::random_weights(8, 4, 1);
  Matrix<double> product(8, 4);
  const auto use = [&] {
    space.begin(start);
    for (Index k = 0; k < kProducts; ++k) {
      for (Index i = 0; i < 8; ++i) {
        for (Index j = 0; j < 4; ++j) {
          product(i, j) = static_cast<double>(4 * i + j + 1) * space.last()(i, j);
        }
      }
      space.extend(product);
    }
    space.solution(product);
    EXPECT_EQ(space.size(), kProducts);
  };
  use();
  const long before = allocations;
  use();
  EXPECT_EQ(allocations - before, 0);
}

TEST(BlockSweeps, AllocateNoMatrixAfterTheFirstSweeps) {
  Training training(true, 2);
  EXPECT_LT(training.largest_allocation_in_sweeps(64), 41 * 64 * sizeof(float));
}

TEST(LinearTasks, AllocateNothingInACall) {
  for (const bool is_sparse : {true, false}) {
    EXPECT_EQ(Training(is_sparse, 2).allocations_of_calls(), 0);
  }
}

TEST(ThreadPool, WorksWithFewerThreadsWhenMemoryDoesNotSufficeForAll) {
  int refused = 0;
  for (long failure = 0; failure < 6; ++failure) {  // its state, their list, each of three threads
    failing = allocations + failure;
    std::optional<ThreadPool> pool;
    try {
      pool.emplace(Threads{4});
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    failing = -1;
    if (!pool) continue;
    std::atomic<int> done = 0;
    pool->run(10, [&](Index) { ++done; });
    EXPECT_EQ(done, 10) << failure;
  }
  EXPECT_EQ(refused, 1);  // it cannot do without its state
}

TEST(Scorer, AllocatesNothingInACall) {
  const auto data = testing::random_problem(
      {.rows = 900, .features = 40, .labels = 150, .feature_probability = 0.3}, 3);
  Scorer scorer(fit(data, {.tolerance = 0.5, .max_iterations = 2}), {2});
  Matrix<double> out(data.rows(), data.labels());
  for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
    scorer.scores(x, 0, x.rows(), out);
    const long before = allocations;
    scorer.scores(x, 0, x.rows(), out);
    EXPECT_EQ(allocations - before, 0);
  }
}

TEST(Scorer, AllocatesNothingOfTheSizeOfFeaturesThatItBorrows) {
  const auto data = testing::random_problem(
      {.rows = 9000, .features = 40, .labels = 3, .feature_probability = 0.3}, 3);
  const auto model = fit(data, {.tolerance = 0.5, .max_iterations = 2});
  Matrix<double> out(data.rows(), data.labels());
  for (const Features& owned : {data.x, testing::as_sparse(data.x)}) {
    const Features x = testing::lent<float>(owned);
    Scorer scorer(model, {2});
    largest = 0;
    scorer.scores(x, 0, x.rows(), out);
    EXPECT_LT(largest, static_cast<std::size_t>(x.stored()) * sizeof(float) / 4);
    const long before = allocations;
    scorer.scores(x, 0, x.rows(), out);
    EXPECT_EQ(allocations - before, 0);
  }
}

TEST(Scorer, OfNeighboursAllocatesNothingInACallAndCopiesNoExamples) {
  auto data = testing::random_problem(
      {.rows = 2000, .features = 40, .labels = 5, .feature_probability = 0.3}, 3);
  const Features dense = data.x, sparse = testing::as_sparse(data.x);
  for (const Features& examples : {dense, sparse}) {
    data.x = examples;
    const Model model = fit(data, MlknnOptions{.threads = {1}});
    const auto bytes = static_cast<std::size_t>(examples.stored()) * sizeof(double);
    largest = 0;
    Scorer scorer(model, {1});
    const Scorer another(model, {1});
    const Model copy = model.with_thresholds({0.3});
    EXPECT_LT(largest, bytes / 4);
    Matrix<double> out(data.rows(), data.labels());
    for (const Features& x : {dense, sparse}) {
      scorer.scores(x, 0, x.rows(), out);
      const long before = allocations;
      scorer.scores(x, 0, x.rows(), out);
      EXPECT_EQ(allocations - before, 0);
    }
  }
}

TEST(Model, LaysItsWeightsOutOnceForItselfAndItsCopies) {
  const auto data = testing::random_problem(
      {.rows = 50, .features = 1200, .labels = 150, .feature_probability = 0.3}, 5);
  const auto model = fit(data, {.tolerance = 0.5, .max_iterations = 2});
  const auto weights = static_cast<std::size_t>(model.features() * model.labels()) * sizeof(float);
  const auto largest_of = [&](const Model& one) {
    largest = 0;
    one.predict(testing::as_sparse(data.x), {1});
    return largest.load();
  };
  const Model copy = model;
  const Model other = copy.with_thresholds({0.25});
  EXPECT_GE(largest_of(model), weights);
  EXPECT_LT(largest_of(model), weights / 2);
  EXPECT_LT(largest_of(copy), weights / 2);
  EXPECT_LT(largest_of(other), weights / 2);
  EXPECT_LT(largest_of(model.with_thresholds({0.75})), weights / 2);
}

TEST(Model, LaysItsWeightsOutAnotherTimeWhenMemoryRanOut) {
  const auto data = testing::random_problem({.rows = 30, .features = 5, .labels = 4}, 6);
  const auto model = fit(data, {.tolerance = 0.5, .max_iterations = 2});
  const auto expected = Model(model.contents()).scores(data.x, {1});
  int failures = 0;
  for (long allowed = 0;; ++allowed) {
    failing = allocations + allowed;
    bool has_failed = false;
    try {
      model.scores(data.x, {1});
    } catch (const std::bad_alloc&) {
      has_failed = true;
    }
    failing = -1;
    if (!has_failed) break;
    ++failures;
  }
  EXPECT_GE(failures, 4);
  EXPECT_EQ(model.scores(data.x, {1}), expected);
}

TEST(Scorer, PredictsWithoutRoomForAllScores) {
  const auto data = testing::random_problem(
      {.rows = 9000, .features = 10, .labels = 80, .feature_probability = 0.3}, 4);
  auto contents = fit(data, {.tolerance = 0.5, .max_iterations = 2}).contents();
  contents.thresholds[3] = 0;
  const Model model(std::move(contents));
  for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
    model.predict(x, {2});  // lays the weights out
    const std::size_t before = held;
    most_held = before;
    const auto found = model.predict(x, {2});
    const auto all_scores = static_cast<std::size_t>(x.rows() * model.labels()) * sizeof(double);
    EXPECT_GE(found.ones(), data.rows());
    EXPECT_LT(most_held - before, all_scores / 4);
  }
}

}  // namespace
}  // namespace mugrad
