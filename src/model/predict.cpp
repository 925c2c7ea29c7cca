// SPDX-License-Identifier: MIT
#include <mugrad/core/memory.h>
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

namespace mugrad {
namespace {

/// Memory for one score per row and label.
Matrix<double> room_for(Index rows, Index labels) {
  const double numbers = static_cast<double>(rows) * static_cast<double>(labels);
  require_memory(MemoryNeed("the scores", numbers * sizeof(double)).exactly(),
                 fmt::format("scoring {} rows for {} labels", rows, labels), "fewer rows at once");
  return {rows, labels};
}

}  // namespace

Matrix<double> Model::scores(const Features& x, Threads threads, Progress* progress) const {
  return scores(x, 0, x.rows(), threads, progress);
}

Matrix<double> Model::scores(const Features& x, Index begin, Index end, Threads threads,
                             Progress* progress) const {
  Matrix<double> result = room_for(end - begin, labels());
  Scorer(*this, Scorer::threads_for(*this, x, end - begin, threads))
      .scores(x, begin, end, result, progress);
  return result;
}

Matrix<double> Model::linear_scores(const Features& x, Threads threads, Progress* progress) const {
  Matrix<double> result = room_for(x.rows(), labels());
  Scorer::linear(*this, Scorer::threads_for(*this, x, x.rows(), threads))
      .scores(x, 0, x.rows(), result, progress);
  return result;
}

BinaryMatrix Model::predict(const Features& x, Threads threads, Progress* progress) const {
  return Scorer(*this, Scorer::threads_for(*this, x, x.rows(), threads))
      .predict(x, 0, x.rows(), progress);
}

}  // namespace mugrad
