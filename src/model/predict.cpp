// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/model/model.h>
#include <mugrad/objective/logistic.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {
namespace {

/// Scores rows one at a time: z = offset + sum over non-zero features of transformed value times
/// weights. Sums are in double whatever the weights are stored in.
template <class Real>
class RowScorer {
 public:
  RowScorer(const Matrix<Real>& weights, std::span<const double> intercepts,
            const FeatureTransform& transform, Link link, bool sparse)
      : weights_(weights),
        transform_(transform),
        link_(link),
        offsets_(intercepts.begin(), intercepts.end()) {
    if (!sparse || transform.shift.empty()) return;
    // Zeros are not visited, so what the shift makes of them goes into the start of every row.
    for (Index k = 0; k < weights.rows(); ++k) {
      add(k, -transform.shift[static_cast<std::size_t>(k)] * factor(k), offsets_);
    }
    shift_visited_ = false;
  }

  void score(const Features& x, Index row, std::span<double> out) const {
    std::ranges::copy(offsets_, out.begin());
    const double row_factor = transform_.unit_rows ? unit_row_factor(x, row) : 1;
    x.for_each_in_row(row, [&](FeatureId k, double value) {
      add(k, (value * row_factor - shift(k)) * factor(k), out);
    });
    if (link_ == Link::identity) return;
    for (double& z : out) z = LogisticLoss::probability(z);
  }

 private:
  double factor(Index k) const {
    return transform_.factor.empty() ? 1 : transform_.factor[static_cast<std::size_t>(k)];
  }
  double shift(Index k) const {
    return shift_visited_ && !transform_.shift.empty()
               ? transform_.shift[static_cast<std::size_t>(k)]
               : 0;
  }
  void add(Index k, double value, std::span<double> out) const {
    if (value == 0) return;
    const auto row = weights_.row(k);
    for (std::size_t t = 0; t < row.size(); ++t) out[t] += value * static_cast<double>(row[t]);
  }

  const Matrix<Real>& weights_;
  const FeatureTransform& transform_;
  Link link_;
  std::vector<double> offsets_;
  bool shift_visited_ = true;
};

}  // namespace

Matrix<double> Model::scores(const Features& x, Threads threads) const {
  return scores(x, 0, x.rows(), threads);
}

Matrix<double> Model::scores(const Features& x, Index begin, Index end, Threads threads) const {
  if (x.cols() != features()) {
    throw UsageError(
        fmt::format("the data has {} features, the model was trained on {}", x.cols(), features()));
  }
  Matrix<double> result(end - begin, labels());
  const FeatureTransform transform = feature_transform(contents_.scaling);
  ThreadPool pool(threads);
  std::visit(
      [&](const auto& weights) {
        const RowScorer scorer(weights, contents_.intercepts, transform, contents_.link,
                               x.is_sparse());
        constexpr Index kRowsPerItem = 64;
        pool.run((end - begin + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
          const Index last = std::min((item + 1) * kRowsPerItem, end - begin);
          for (Index row = item * kRowsPerItem; row < last; ++row) {
            scorer.score(x, begin + row, result.row(row));
          }
        });
      },
      contents_.weights);
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
