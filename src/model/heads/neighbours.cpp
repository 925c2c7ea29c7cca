// SPDX-License-Identifier: MIT
#include "linalg/nearest_rows.h"
#include "model/head_checks.h"
#include "model/head_scores.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr FieldOf<NeighbourHead> kFields[] = {{"rows", &NeighbourHead::rows},
                                              {"shift", &NeighbourHead::shift},
                                              {"labels", &NeighbourHead::labels},
                                              {"probability", &NeighbourHead::probability}};

/// In long double, whose range squares of doubles do not leave.
void check_length(std::string_view what, long double squared_length) {
  if (squared_length <= NeighbourHead::kMostSquaredLength) return;
  refuse("{} of the model has the squared length {:g}, at most {:g} expected", what,
         static_cast<double>(squared_length), NeighbourHead::kMostSquaredLength);
}

void check(const NeighbourHead& head, const HeadShape& shape) {
  const Index examples = head.rows.rows();
  check_size("columns of weights", shape.columns, 0);
  check_size("columns of examples", head.rows.cols(), shape.features);
  if (!head.shift.empty()) check_size("shifts", std::ssize(head.shift), shape.features);
  check_size("examples with labels", head.labels.rows(), examples);
  check_size("rows of probabilities", head.probability.rows(), shape.labels);
  if (head.probability.cols() < 1 || head.probability.cols() > examples + 1) {
    refuse("the model has {} examples and {} probabilities of a label, from 1 to {} expected",
           examples, head.probability.cols(), examples + 1);
  }
  for (const double probability : head.probability.values()) {
    if (probability >= 0 && probability <= 1) continue;
    refuse("a probability of the model is {}, a number in [0, 1] expected", probability);
  }
  long double squares = 0;
  for (const double shift : head.shift) squares += static_cast<long double>(shift) * shift;
  check_length("the shift", squares);
  for (Index row = 0; row < examples; ++row) {
    squares = 0;
    head.rows.for_each_in_row(
        row, [&](FeatureId, double x) { squares += static_cast<long double>(x) * x; });
    check_length("an example", squares);
  }
}

ScoreRange range_of(const NeighbourHead&) { return {}; }

Index rows_at_once(const HeadShape& shape) { return NearestRows::queries_at_once(shape.features); }

class NeighbourScores final : public HeadScores {
 public:
  NeighbourScores(const NeighbourHead& head, const HeadShape&)
      : head_(head), nearest_(head.rows), neighbours_(head.probability.cols() - 1) {}

  HeadInput input() const override { return HeadInput::scaled_row; }

  void score(std::span<const HeadRow<double>> rows, const RowWork& work) const override {
    score_all(rows, work);
  }
  /// A row too large for double is divided by a large number, which does not change which examples
  /// are nearest.
  void score(const HeadRow<long double>& row, const RowWork& work) const override {
    score_all(std::span(&row, 1), work);
  }

 private:
  template <class Real>
  void score_all(std::span<const HeadRow<Real>> rows, const RowWork& work) const {
    NearestQueries& queries = work.scratch.queries;
    work.check();
    queries.begin(head_.rows.cols(), std::ssize(rows), neighbours_);
    for (std::size_t i = 0; i < rows.size(); ++i) place(rows[i], as_index(i), queries);
    nearest_.find(queries, &work.progress);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      write_scores(queries.found(as_index(i)), work.scratch.numbers, rows[i].scores);
    }
  }

  template <class Real>
  void place(const HeadRow<Real>& row, Index query, NearestQueries& queries) const {
    const Real factor = factor_of(row);
    queries.set_factor(query, static_cast<double>(factor));
    for (std::size_t k = 0; k < head_.shift.size(); ++k) {
      queries.set(query, as_index(k), static_cast<double>(factor * head_.shift[k]));
    }
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const auto k = as_size(row.features[i]);
      const Real shift = head_.shift.empty() ? 0 : head_.shift[k];
      queries.set(query, as_index(k), static_cast<double>(factor * (row.values[i] + shift)));
    }
  }

  static double factor_of(const HeadRow<double>&) { return 1; }
  static long double factor_of(const HeadRow<long double>& row) {
    long double largest = 1;
    for (const long double value : row.values) largest = std::max(largest, std::fabs(value));
    return 1 / largest;
  }

  void write_scores(std::span<const NearRow> found, std::vector<double>& counts,
                    std::span<double> scores) const {
    counts.assign(scores.size(), 0);
    for (const NearRow& near : found) {
      for (const LabelId label : head_.labels.row(near.row)) ++counts[as_size(label)];
    }
    for (std::size_t label = 0; label < scores.size(); ++label) {
      scores[label] = head_.probability(as_index(label), static_cast<Index>(counts[label]));
    }
  }

  const NeighbourHead& head_;
  NearestRows nearest_;
  Index neighbours_;
};

}  // namespace

const HeadKind<NeighbourHead>& NeighbourHead::kind() {
  static constexpr HeadKind<NeighbourHead> kKind{.name = "neighbours",
                                                 .fields = kFields,
                                                 .check = check,
                                                 .score_range = range_of,
                                                 .scores = make_scores<NeighbourScores>,
                                                 .rows_at_once = rows_at_once,
                                                 .format = 3};
  return kKind;
}

}  // namespace mugrad
