// SPDX-License-Identifier: MIT
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

namespace mugrad {

Matrix<double> Model::scores(const Features& x, Threads threads) const {
  return scores(x, 0, x.rows(), threads);
}

Matrix<double> Model::scores(const Features& x, Index begin, Index end, Threads threads) const {
  Matrix<double> result(end - begin, labels());
  Scorer(*this, threads).scores(x, begin, end, result);
  return result;
}

Matrix<double> Model::linear_scores(const Features& x, Threads threads) const {
  Matrix<double> result(x.rows(), labels());
  Scorer::linear(*this, threads).scores(x, 0, x.rows(), result);
  return result;
}

BinaryMatrix Model::predict(const Features& x, Threads threads) const {
  const Matrix<double> all = scores(x, threads);
  BinaryMatrix predicted;
  predicted.cols = labels();
  for (Index row = 0; row < all.rows(); ++row) {
    for (LabelId label = 0; label < labels(); ++label) {
      const double threshold = contents_.thresholds[static_cast<std::size_t>(label)];
      if (all(row, label) >= threshold) predicted.column.push_back(label);
    }
    predicted.end_row();
  }
  return predicted;
}

}  // namespace mugrad
