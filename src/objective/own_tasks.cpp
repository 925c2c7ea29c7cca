// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/objective/own_tasks.h>

#include <fmt/format.h>

#include <cassert>
#include <cmath>

namespace mugrad {
namespace {

template <class Real>
class OwnTasks final : public TaskSet<Real> {
 public:
  OwnTasks(std::vector<std::unique_ptr<Task<Real>>> tasks, ThreadPool& pool)
      : tasks_(std::move(tasks)), pool_(pool) {
    if (tasks_.empty()) throw UsageError("there must be at least one task, got none");
    for (std::size_t i = 0; i < tasks_.size(); ++i) check_parameters(i);
    parameters_ = tasks_.front()->parameters();
    columns_.resize(tasks_.size());
    for (auto& columns : columns_) columns = Columns(as_size(parameters_));
  }

  Index tasks() const override { return std::ssize(tasks_); }
  Index parameters() const override { return parameters_; }

  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override {
    pool_.run(weights.cols(), [&](Index column) {
      const auto i = as_size(task_of(which, column));
      auto& own = columns_[i];
      read_column(weights, column, own.weights);
      const double value = tasks_[i]->evaluate(own.weights, own.result);
      if (!measures.values.empty()) measures.values[as_size(column)] = value;
      write_column(own.result, column, gradient);
    });
  }

  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override {
    pool_.run(weights.cols(), [&](Index column) {
      const auto i = as_size(task_of(which, column));
      auto& own = columns_[i];
      read_column(weights, column, own.weights);
      read_column(direction, column, own.direction);
      if (!tasks_[i]->hessian_product(own.weights, own.direction, own.result)) {
        throw Error(fmt::format("task {} has no Hessian product", i));
      }
      write_column(own.result, column, product);
    });
  }

  std::vector<CurvatureRange> curvatures() override {
    std::vector<CurvatureRange> ranges(tasks_.size());
    pool_.run(tasks(), [&](Index i) {
      const auto range = tasks_[as_size(i)]->curvature();
      if (!(range.least >= 0 && range.least <= range.most && std::isfinite(range.most))) {
        throw UsageError(
            fmt::format("task {} has curvature bounds {} and {}, expected 0 <= least <= most", i,
                        range.least, range.most));
      }
      ranges[as_size(i)] = range;
    });
    return ranges;
  }

 private:
  /// The columns of a task in the matrices, contiguous.
  struct Columns {
    Columns() = default;
    explicit Columns(std::size_t size) : weights(size), direction(size), result(size) {}
    std::vector<Real> weights, direction, result;
  };

  void check_parameters(std::size_t i) const {
    if (tasks_[i] == nullptr) throw UsageError(fmt::format("task {} is a null pointer", i));
    const Index own = tasks_[i]->parameters();
    const Index first = tasks_.front()->parameters();
    if (own < 1)
      throw UsageError(fmt::format("task {} has {} parameters, expected 1 or more", i, own));
    if (own != first) {
      throw UsageError(
          fmt::format("task {} has {} parameters and task 0 has {}; all tasks must have the same "
                      "number",
                      i, own, first));
    }
  }

  static void read_column(const Matrix<Real>& from, Index column, std::span<Real> to) {
    assert(from.rows() == std::ssize(to));
    for (Index k = 0; k < from.rows(); ++k) to[as_size(k)] = from(k, column);
  }
  static void write_column(std::span<const Real> from, Index column, Matrix<Real>& to) {
    assert(to.rows() == std::ssize(from));
    for (Index k = 0; k < to.rows(); ++k) to(k, column) = from[as_size(k)];
  }

  std::vector<std::unique_ptr<Task<Real>>> tasks_;
  ThreadPool& pool_;
  Index parameters_ = 0;
  std::vector<Columns> columns_;  ///< one per task, because tasks run in parallel
};

}  // namespace

template <class Real>
std::unique_ptr<TaskSet<Real>> own_tasks(std::vector<std::unique_ptr<Task<Real>>> tasks,
                                         ThreadPool& pool) {
  return std::make_unique<OwnTasks<Real>>(std::move(tasks), pool);
}

template decltype(own_tasks<float>) own_tasks<float>;
template decltype(own_tasks<double>) own_tasks<double>;

}  // namespace mugrad
