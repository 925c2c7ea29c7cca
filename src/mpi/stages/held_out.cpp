// SPDX-License-Identifier: MIT
#include "mpi/stages/held_out.h"

#include <mugrad/transfer/transfer_matrix.h>

#include <algorithm>
#include <utility>

namespace mugrad::mpi {

template <class Real>
OwnModel own_model(const Communicator& among, const RankSolution<Real>& solution,
                   const MgdOptions& options) {
  OwnModel result;
  const TrainableLabels& trainable = solution.trainable();
  for (const LabelId label : solution.problem->share().own) {
    result.labels.push_back(trainable.original()[as_size(label)]);
  }
  const Index trained = result.count();
  ModelContents contents;
  for (Index t = 0; t < trained; ++t) {
    contents.intercepts.push_back(static_cast<double>(solution.weights(t, 0)));
  }
  if (among.is_first()) {
    const std::vector<double> none(trainable.original().size(), 0);
    const auto of_all = trainable.intercepts<double>(none, options.loss);
    for (const LabelId label : trainable.constant()) {
      result.labels.push_back(label);
      contents.intercepts.push_back(of_all[as_size(label)]);
    }
  }
  if (result.labels.empty()) return result;
  Matrix<Real> weights(solution.weights.cols() - 1, result.count());
  for (Index k = 0; k < weights.rows(); ++k) {
    for (Index t = 0; t < trained; ++t) weights(k, t) = solution.weights(t, k + 1);
  }
  contents.weights = std::move(weights);
  contents.representation = solution.representation;
  contents.head =
      IndependentHead{options.loss == LossKind::logistic ? Link::logistic : Link::identity};
  contents.thresholds.assign(result.labels.size(), options.threshold);
  contents.relations = no_transfer(result.count()).mbar;
  result.model.emplace(std::move(contents));
  return result;
}

void score_rows(Scorer scorer, const Features& x, std::span<const Index> rows,
                const VisitScores& visit) {
  constexpr std::size_t kRowsAtOnce = 1024;
  Matrix<double> scores(as_index(std::min(kRowsAtOnce, rows.size())), scorer.labels());
  for (std::size_t begin = 0; begin < rows.size(); begin += kRowsAtOnce) {
    const auto some = rows.subspan(begin, std::min(kRowsAtOnce, rows.size() - begin));
    scorer.scores(select_rows(x, some), 0, std::ssize(some), scores);
    for (std::size_t k = 0; k < some.size(); ++k) visit(begin + k, scores.row(as_index(k)));
  }
}

template decltype(own_model<float>) own_model<float>;
template decltype(own_model<double>) own_model<double>;

}  // namespace mugrad::mpi
