// SPDX-License-Identifier: MIT
#include "method/labelsets/labelset_training.h"

#include "linalg/pass/fused_pass.h"
#include "method/common/outcome.h"
#include "method/common/shared_work.h"
#include "method/common/trainable_labels.h"
#include "method/common/training_memory.h"
#include "objective/covariance.h"
#include "objective/softmax_tasks.h"

#include <mugrad/solver/solvers.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace mugrad {
namespace {

/// Share of the work that is done before the first set.
constexpr double kPrepared = 0.05;

double matrix_bytes(Index rows, Index cols) {
  return static_cast<double>(rows) * static_cast<double>(cols) * sizeof(float);
}

/// With this many sets solved at the same time.
MemoryNeed need_at_once(const DataShape& shape, const LabelsetCounts& counts, int at_once) {
  const DesignShape design = design_of(shape);
  const Index classes = counts.most_classes;
  // The class of every example, and temporary numbers for the set of every thread.
  const double of_examples =
      static_cast<double>(shape.rows) * (sizeof(double) + sizeof(std::int32_t));
  const double solving = matrix_bytes(design.cols, classes) +
                         bytes_to_minimise<float>(design.cols, classes) +
                         FusedPass<float>::scratch_bytes(design, classes, classes, false);
  const double work = std::max(bytes_to_find_curvature<float>(design),
                               bytes_of_curvature<float>(design) + at_once * solving);
  return statistics_memory(shape) + features_memory<float>(design, classes) +
         MemoryNeed("the weights of combinations of labels",
                    matrix_bytes(shape.features + 2, counts.all_classes)) +
         MemoryNeed("solving", work) + MemoryNeed("the classes of examples", at_once * of_examples);
}

/// Whether each thread solves its own set: unless memory is short, or there are fewer sets.
bool fit_side_by_side(const DataShape& shape, const LabelsetCounts& counts, int threads) {
  return threads > 1 && counts.sets >= threads &&
         need_at_once(shape, counts, threads).bytes() <= available_memory().bytes;
}

class Trainer {
 public:
  Trainer(const Dataset& data, const std::vector<Labelset>& sets, const LabelsetTraining& training,
          ModelContents& contents)
      : data_(data),
        sets_(sets),
        training_(training),
        contents_(contents),
        pool_(training.threads),
        solved_(sets.size()),
        weights_(data.features(), 0) {}

  void run(Progress* progress);

 private:
  struct Solved {
    SolveReport report{.stop = Stop::converged};
    double loss = 0;
  };

  void find_classes();
  void solve_all(Progress* progress);
  void solve_in_turn(SoftmaxTasks<float>& tasks, Stages& stages);
  void solve_side_by_side(SoftmaxTasks<float>& tasks, Stages& stages);
  void solve(std::size_t set, SoftmaxTasks<float>& tasks, Progress* progress, ThreadPool& pool);
  void store(std::size_t set, const Matrix<float>& weights);
  void write_report(const TrainableLabels& trainable);

  /// The first column of a set in the weights.
  Index first_class(std::size_t set) const { return head_.class_start[set]; }
  Index classes(std::size_t set) const { return first_class(set + 1) - first_class(set); }
  LabelsetCounts counts() const {
    return {std::ssize(sets_), most_classes_, head_.class_start.back()};
  }

  const Dataset& data_;
  const std::vector<Labelset>& sets_;
  const LabelsetTraining& training_;
  ModelContents& contents_;
  ThreadPool pool_;
  LabelsetHead head_;
  Index most_classes_ = 0;  ///< of any set
  Index shared_passes_ = 0;
  std::vector<Solved> solved_;
  Matrix<float> weights_;
};

void Trainer::run(Progress* progress) {
  const TrainableLabels trainable(data_);
  find_classes();
  require_memory(labelsets_memory(shape_of(data_), counts(), training_.threads), training_on(data_),
                 kFewerCombinations);
  const Index columns = head_.class_start.back();
  weights_ = Matrix<float>(data_.features(), columns);
  contents_.intercepts.assign(as_size(columns), 0);
  if (most_classes_ > 1) solve_all(progress);
  advance(progress, 1);
  contents_.weights = std::move(weights_);
  contents_.head = std::move(head_);
  write_report(trainable);
}

void Trainer::find_classes() {
  std::vector<BinaryMatrix> classes(sets_.size());
  pool_.run(std::ssize(sets_), [&](Index item) {
    const auto set = as_size(item);
    classes[set] = classes_of(data_.y, sets_[set]).classes;
  });
  head_ = {.score = training_.score, .class_start = {0}};
  head_.sets.cols = head_.classes.cols = data_.labels();
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    std::ranges::copy(sets_[set], std::back_inserter(head_.sets.column));
    head_.sets.end_row();
    for (Index c = 0; c < classes[set].rows(); ++c) {
      std::ranges::copy(classes[set].row(c), std::back_inserter(head_.classes.column));
      head_.classes.end_row();
    }
    head_.class_start.push_back(head_.classes.rows());
    most_classes_ = std::max(most_classes_, classes[set].rows());
  }
}

void Trainer::solve_all(Progress* progress) {
  Stages stages(progress);
  stages.advance(0);
  const Design<float> design(data_.x, feature_transform(contents_.representation));
  auto shared = softmax_curvature(design, training_.rho, pool_);
  shared_passes_ = std::exchange(shared.passes, 0);
  SoftmaxTasks<float> tasks(design, shared, most_classes_, pool_);
  fit_side_by_side(shape_of(data_), counts(), pool_.size()) ? solve_side_by_side(tasks, stages)
                                                            : solve_in_turn(tasks, stages);
}

void Trainer::solve_in_turn(SoftmaxTasks<float>& tasks, Stages& stages) {
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const auto share = [&](std::size_t done) {
      return kPrepared +
             (1 - kPrepared) * static_cast<double>(done) / static_cast<double>(sets_.size());
    };
    stages.enter(share(set), share(set + 1));
    solve(set, tasks, &stages, pool_);
  }
}

void Trainer::solve_side_by_side(SoftmaxTasks<float>& tasks, Stages& stages) {
  stages.enter(kPrepared, 1);
  SharedWork work(stages, std::vector<double>(sets_.size(), 1));
  work.run(pool_, [&] {
    ThreadPool own_pool({1});
    SoftmaxTasks<float> own_tasks(tasks, own_pool);
    while (const auto set = work.next()) {
      solve(*set, own_tasks, &work, own_pool);
      work.finish(*set);
    }
  });
}

void Trainer::solve(std::size_t set, SoftmaxTasks<float>& tasks, Progress* progress,
                    ThreadPool& pool) {
  if (classes(set) == 1) return;
  const auto found = classes_of(data_.y, sets_[set]);
  tasks.set_classes(found.of_row, classes(set));
  Matrix<float> weights = tasks.start();
  Solved& solved = solved_[set];
  solved.report = minimise(tasks, weights, training_.stopping, progress, pool);
  throw_unless_usable(solved.report);
  Matrix<float> gradient(weights.rows(), weights.cols());
  std::vector<double> losses(as_size(classes(set)));
  tasks.gradient({}, weights, gradient, {.values = losses});
  solved.loss = std::accumulate(losses.begin(), losses.end(), 0.0);
  store(set, weights);
}

void Trainer::store(std::size_t set, const Matrix<float>& weights) {
  const Index first = first_class(set);
  for (Index c = 0; c < weights.cols(); ++c) {
    contents_.intercepts[as_size(first + c)] = static_cast<double>(weights(0, c));
  }
  for (Index k = 1; k < weights.rows(); ++k) {
    std::ranges::copy(weights.row(k), weights_.row(k - 1).begin() + first);
  }
}

void Trainer::write_report(const TrainableLabels& trainable) {
  auto& report = contents_.report;
  report.constant_labels = trainable.constant();
  if (const auto warning = trainable.warning(data_.label_names, "score 0 or 1"))
    report.warnings.push_back(*warning);
  if (most_classes_ < 2) return;
  SolveFacts whole{.solver = "accelerated", .effort = shared_passes_};
  Index unfinished = 0;
  auto stop = Stop::converged;
  for (const Solved& solved : solved_) {
    add_part(facts_of(whole.solver, solved.report, solved.loss), whole);
    if (solved.report.stop == Stop::converged) continue;
    ++unfinished;
    stop = worse(stop, solved.report.stop);
  }
  whole.stop = to_string(stop);
  report.solve = std::move(whole);
  if (unfinished == 0 || training_.stopping.tolerance == 0) return;
  report.warnings.push_back(fmt::format("{} of {} labelsets did not reach the tolerance of {}",
                                        unfinished, sets_.size(), training_.stopping.tolerance));
}

}  // namespace

MemoryNeed labelsets_memory(const DataShape& shape, const LabelsetCounts& counts, Threads threads) {
  const int at_once = threads.resolved();
  return need_at_once(shape, counts, fit_side_by_side(shape, counts, at_once) ? at_once : 1);
}

void train_labelsets(const Dataset& data, const std::vector<Labelset>& sets,
                     const LabelsetTraining& training, Progress* progress,
                     ModelContents& contents) {
  Trainer(data, sets, training, contents).run(progress);
}

}  // namespace mugrad
