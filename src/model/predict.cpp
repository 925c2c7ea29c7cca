// SPDX-License-Identifier: MIT
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

namespace mugrad {

Matrix<double> Model::scores(const Features& x, Threads threads,
                             const Checkpoint& checkpoint) const {
  return scores(x, 0, x.rows(), threads, checkpoint);
}

Matrix<double> Model::scores(const Features& x, Index begin, Index end, Threads threads,
                             const Checkpoint& checkpoint) const {
  Matrix<double> result(end - begin, labels());
  Scorer(*this, Scorer::threads_for(*this, x, end - begin, threads))
      .scores(x, begin, end, result, checkpoint);
  return result;
}

Matrix<double> Model::linear_scores(const Features& x, Threads threads,
                                    const Checkpoint& checkpoint) const {
  Matrix<double> result(x.rows(), labels());
  Scorer::linear(*this, Scorer::threads_for(*this, x, x.rows(), threads))
      .scores(x, 0, x.rows(), result, checkpoint);
  return result;
}

BinaryMatrix Model::predict(const Features& x, Threads threads,
                            const Checkpoint& checkpoint) const {
  return Scorer(*this, Scorer::threads_for(*this, x, x.rows(), threads))
      .predict(x, 0, x.rows(), checkpoint);
}

}  // namespace mugrad
